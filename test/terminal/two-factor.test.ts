/** QR codes of `profile tfa setup` on the screen, read like a phone does. */
import { describe, expect } from 'vitest'
import { presentTest } from '../flows/steps'
import { type Palette, scan, scanWithZbar } from '../support/scan'
import { needs } from '../support/shells'
import type { OpenTerminal } from '../support/terminal'

const test = presentTest.extend<{ answered: undefined }>({
  answered: async ({ skyctl }, use) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
    const stdin = JSON.stringify({ security_questions: answers })
    await skyctl('profile security-questions answer --body -', { stdin })
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

const setupAddress = /^otpauth:\/\/totp\/127\.0\.0\.1:owner\?secret=[A-Z2-7]{32}&issuer=127\.0\.0\.1$/

const themes: Readonly<Record<string, Palette>> = {
  'Gruvbox Light': { black: 242, white: 57, text: 57, background: 242 },
  'Gruvbox Dark': { black: 40, white: 219, text: 219, background: 40 },
  'Solarized Light': { black: 47, white: 246, text: 115, background: 246 },
  'Solarized Dark': { black: 47, white: 246, text: 141, background: 36 },
  Nord: { black: 66, white: 239, text: 222, background: 52 },
  'Tango Light': { black: 52, white: 238, text: 52, background: 255 },
}

const readers = [
  { reader: 'jsQR', read: scan },
  { reader: 'zbarimg', read: scanWithZbar },
] as const

const setUp = 'skyctl profile tfa setup'
// Both end with their window, which the test closes.
const tmux = `tmux -S "$HOME/tmux" -f /dev/null new-session '${setUp}' \\; set destroy-unattached on`
const screenSettings = 'autodetach off\nstartup_message off\n'
const screen = `printf '${screenSettings}' > "$HOME/rc"; SCREENDIR="$HOME/screen" screen -c "$HOME/rc" ${setUp}`

const terminals: readonly { name: string; TERM: string; line: string; program?: string }[] = [
  ...['xterm-256color', 'tmux-256color', 'screen-256color'].map((TERM) => ({ name: TERM, TERM, line: setUp })),
  { name: 'tmux', TERM: 'xterm-256color', line: tmux, program: 'tmux' },
  { name: 'tmux without its status line', TERM: 'xterm-256color', line: `${tmux} \\; set status off`, program: 'tmux' },
  {
    name: 'tmux as TERM=screen',
    TERM: 'xterm-256color',
    line: tmux.replace(setUp, `env TERM=screen ${setUp}`),
    program: 'tmux',
  },
  { name: 'screen', TERM: 'xterm-256color', line: screen, program: 'screen' },
]

describe('The two-factor screen', () => {
  test.for(modes)(
    'can be scanned in $kind with $color on a $background background',
    async ({ kind, color, background }, { terminal, answered: _ }) => {
      const line = `profile tfa setup --qr ${kind}`
      const rows = kind === 'utf8' ? 24 : 43
      const env = color === 'NO_COLOR' ? { NO_COLOR: '1' } : {}
      const one = terminal(line, { columns: 80, rows, env })
      await one.until(asksCode)
      const { secret, address } = textAbove(one)
      expect(address).toBe(`otpauth://totp/127.0.0.1:owner?secret=${secret}&issuer=127.0.0.1`)
      expect(scan(one.cells(), background)).toBe(address)
      expect(one.screen().length).toBeLessThanOrEqual(rows)
    },
  )

  test.for(terminals.flatMap((terminal) => readers.map((reader) => ({ ...terminal, ...reader }))))(
    'can be scanned by $reader in $name, with the colours of six themes',
    async ({ TERM, line, reader, read, program }, { shellTerminal, answered: _, skip }) => {
      if (program) needs(program, { skip })
      if (reader !== 'jsQR') needs(reader, { skip })
      const one = shellTerminal(line, { rows: 24, isProcess: true, env: { TERM, LC_ALL: 'C.UTF-8' } })
      await one.until(asksCode)
      const [address, ...others] = new Set(Object.values(themes).map((palette) => read(one.cells(), palette)))
      expect([address, others]).toEqual([expect.stringMatching(setupAddress), []])
    },
  )

  test('uses the 16 colours of a terminal that has no more', async ({ terminal, answered: _ }) => {
    const one = terminal('profile tfa setup', { env: { TERM: 'linux' } })
    await one.until(asksCode)
    expect(scan(one.cells(), 'dark')).toBe(textAbove(one).address)
    expect(one.raw()).not.toContain('38;5;')
  })

  test('lets the text scroll off in a window of 23 rows, such as that of tmux', async ({ terminal, answered: _ }) => {
    const one = terminal('profile tfa setup', { columns: 80, rows: 23 })
    await one.until(asksCode)
    const [, address] = /(otpauth:\S+)/.exec(one.screen().slice(1, 3).join('')) ?? []
    expect(scan(one.cells(), 'dark')).toBe(address)
  })

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
    { name: 'columns', columns: 38, rows: 60, kind: 'utf8', needs: '39x22', has: '38x60' },
    { name: 'columns and rows', columns: 38, rows: 21, kind: 'utf8', needs: '39x22', has: '38x21' },
    { name: 'rows', columns: 80, rows: 20, kind: 'utf8', needs: '80x21', has: '80x20' },
    { name: 'rows for ASCII', columns: 80, rows: 24, kind: 'ascii', needs: '80x40', has: '80x24' },
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
    const one = terminal('profile tfa setup', { columns: 40, rows: 21, isProcess: true })
    await one.until(/needs a window of 40x22(.|\n)*\? Code/)
    one.resize(80, 24)
    one.type('\r')
    await one.until('Create another secret? (y/N)')
    one.type('y\r')
    await one.until(/Here is another secret(.|\n)*\? Code/)
    const address = () => scan(one.cells(), 'dark') ?? 'none yet'
    await expect.poll(() => address() === textAbove(one).address, { timeout: 10_000 }).toBe(true)
  })
})
