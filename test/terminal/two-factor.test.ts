/** QR codes of `profile tfa setup` on the screen, read like a phone does. */
import { describe, expect } from 'vitest'
import { presentTest } from '../flows/steps'
import { type Palette, scan } from '../support/scan'
import type { OpenTerminal } from '../support/terminal'

const test = presentTest.extend<{ answered: undefined }>({
  answered: async ({ shell }, use) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
    const stdin = JSON.stringify({ security_questions: answers })
    await shell('skyctl profile security-questions answer --body -', { stdin })
    await use(undefined)
  },
})

const asksCode = '? Code from the authenticator app'
const visible = (one: OpenTerminal) =>
  one.cells().map((row) =>
    row
      .map(({ char }) => char)
      .join('')
      .trimEnd(),
  )
/** Returns secret and address from the text above the code. */
function textAbove(one: OpenTerminal) {
  const text = visible(one).join('').replaceAll(/\s/g, '')
  return {
    secret: /app:([A-Z2-7]{32})otpauth/.exec(text)?.[1],
    address: /otpauth:[\w/.:?=]+&issuer=127\.0\.0\.1/.exec(text)?.[0],
  }
}

const modes = (['utf8', 'ascii'] as const).flatMap((kind) =>
  (['color', 'NO_COLOR'] as const).flatMap((color) =>
    (['dark', 'light'] as const).map((background) => ({ kind, color, background })),
  ),
)

describe('The two-factor screen', () => {
  test.for(modes)(
    'can be scanned in $kind with $color on a $background background',
    async ({ kind, color, background }, { terminal, answered: _ }) => {
      const line = `profile tfa setup --qr ${kind}`
      const rows = kind === 'utf8' ? 24 : 43
      const env = color === 'NO_COLOR' ? { NO_COLOR: '1' } : {}
      const one = terminal(line, { columns: 80, rows, background, env })
      await one.until(asksCode)
      const { secret, address } = textAbove(one)
      expect(address).toBe(`otpauth://totp/127.0.0.1:owner?secret=${secret}&issuer=127.0.0.1`)
      expect(scan(one.cells(), background)).toBe(address)
      expect(one.screen().length).toBeLessThanOrEqual(rows)
    },
  )

  test.for<[theme: string, TERM: string, palette: Palette]>([
    ['Gruvbox Light', 'xterm-256color', { black: 242, white: 57, text: 57, background: 242 }],
    ['Gruvbox Light', 'tmux-256color', { black: 242, white: 57, text: 57, background: 242 }],
    ['Gruvbox Dark', 'screen-256color', { black: 40, white: 219, text: 219, background: 40 }],
    ['Solarized Light', 'xterm-256color', { black: 47, white: 246, text: 115, background: 246 }],
    ['Solarized Dark', 'tmux-256color', { black: 47, white: 246, text: 141, background: 36 }],
    ['Nord', 'xterm-256color', { black: 66, white: 239, text: 222, background: 52 }],
    ['Tango Light', 'screen-256color', { black: 52, white: 238, text: 52, background: 255 }],
  ])(
    'can be scanned with the colours of the theme %s and TERM=%s',
    async ([, TERM, palette], { terminal, answered: _ }) => {
      const one = terminal('profile tfa setup', { columns: 80, rows: 24, env: { TERM } })
      await one.until(asksCode)
      expect(scan(one.cells(), palette)).toBe(textAbove(one).address)
    },
  )

  test('uses the 16 colours of a terminal that has no more', async ({ terminal, answered: _ }) => {
    const one = terminal('profile tfa setup', { env: { TERM: 'linux' } })
    await one.until(asksCode)
    expect(scan(one.cells(), 'dark')).toBe(textAbove(one).address)
    expect(one.raw()).not.toContain('38;5;')
  })

  test.for([
    ['0;15', 'light'],
    ['15;0', 'dark'],
    [undefined, 'dark'],
  ] as const)(
    'uses COLORFGBG if the terminal does not report its background: %s is %s',
    async ([colors, background], { terminal, answered: _ }) => {
      const one = terminal('profile tfa setup', { env: { NO_COLOR: '1', COLORFGBG: colors } })
      await one.until(asksCode)
      expect(scan(one.cells(), background)).toBe(textAbove(one).address)
    },
  )

  test('has a wider border if the window fits it', async ({ terminal, answered: _ }) => {
    const one = terminal('profile tfa setup', { rows: 25 })
    await one.until(asksCode)
    const [above = ''] = visible(one).slice(3)
    expect({ above, wide: one.cells()[4]?.filter(({ background }) => background === 231).length }).toEqual({
      above: '',
      wide: 41,
    })
    expect(scan(one.cells(), 'dark')).toBe(textAbove(one).address)
  })

  test.for([
    { name: 'columns', columns: 38, rows: 60, kind: 'utf8', needs: '39x27', has: '38x60' },
    { name: 'columns and rows', columns: 40, rows: 24, kind: 'utf8', needs: '40x27', has: '40x24' },
    { name: 'rows', columns: 80, rows: 23, kind: 'utf8', needs: '80x24', has: '80x23' },
    { name: 'rows for ASCII', columns: 80, rows: 24, kind: 'ascii', needs: '80x43', has: '80x24' },
  ])(
    'prints the required window size instead of a code that does not fit: too few $name',
    async ({ columns, rows, kind, needs, has }, { terminal, answered: _ }) => {
      const one = terminal(`profile tfa setup --qr ${kind}`, { columns, rows, env: { NO_COLOR: '1' } })
      await one.until(asksCode.slice(0, 30))
      const text = one.screen().join(' ')
      expect(text).toContain(`needs a window of ${needs} (columns x rows), and this one has ${has}.`)
      expect(text).not.toMatch(/[█▀▄]|##/)
    },
  )

  test('shows the code of a new secret after the window was enlarged', async ({ terminal, answered: _ }) => {
    const one = terminal('profile tfa setup', { columns: 40, rows: 24, isProcess: true })
    await one.until(/needs a window of 40x27(.|\n)*\? Code/)
    one.resize(80, 24)
    one.type('\r')
    await one.until('Create another secret? (y/N)')
    one.type('y\r')
    await one.until(/Here is another secret(.|\n)*\? Code/)
    const address = () => scan(one.cells(), 'dark') ?? 'none yet'
    await expect.poll(() => address() === textAbove(one).address, { timeout: 10_000 }).toBe(true)
  })
})
