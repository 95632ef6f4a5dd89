/** Terminal pictures in README.md and docs: `npm run pictures` draws them from the program's output. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test as plain } from 'vitest'
import { guard, spotless } from './support/audited-world'
import { rulesOf, ruleThat } from './support/firewall-rules'
import { accountFile } from './support/page-examples'
import { draw, lineOf } from './support/picture'
import { preloading } from './support/program'
import { openTestSandbox, type World } from './support/sandbox'
import type { Fixtures } from './support/skyctl'
import { colorsOf, contrast, linesOf, readElements, scanPicture } from './support/svg-reader'
import { type Cell, type OpenTerminal, processTest } from './support/terminal'

interface Scene {
  /** File name. */
  name: string
  /** Description of the picture. */
  title: string
  /** Command lines. One that ends with a backslash continues in its next row. */
  lines: readonly string[]
  /** A question of the last line, left unanswered. */
  asks?: string
  exits?: Readonly<Record<string, number>>
  files?: Readonly<Record<string, string>>
  /** Size of the picture, as a part of the usual one. */
  scale?: number
  /** Arranges the account; returns the token to use, by default the owner's. */
  arrange?(world: World): string | undefined
}

const removal = `skyctl firewalls rules remove web inbound label:ssh \\
  --keep-open tcp/22@203.0.113.9`

const scenes: readonly Scene[] = [
  {
    name: 'refused',
    title: 'skyctl refuses to remove the rule that lets you connect with SSH, and sends nothing',
    lines: [removal],
    exits: { [removal]: 6 },
    arrange: twoRules,
  },
  {
    name: 'first-look',
    title: 'skyctl lists volumes, resizes one, and suggests the right label after a typing error',
    lines: ['skyctl volumes list', 'skyctl volumes resize data-2 --size 40 --wait', 'skyctl volumes view dta-1'],
    exits: { 'skyctl volumes view dta-1': 5 },
  },
  {
    name: 'plan',
    title: 'skyctl plan previews the changes that an account file makes, with their costs and the traffic they block',
    lines: ['cat account.yaml', 'skyctl plan account.yaml'],
    files: { 'account.yaml': accountFile },
    arrange: widerRules,
  },
  {
    name: 'audit',
    title: 'skyctl audit prints what is wrong with the account, worst first, with the commands that fix it',
    lines: ['skyctl audit'],
    arrange(world) {
      const signedIn = spotless(world)
      const everywhere = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
      guard(world, 'db', [ruleThat({ ports: '5432', label: 'postgres', ...everywhere })], { compute: 1003 })
      guard(world, 'web', [ruleThat({ ports: '22', label: 'ssh', ...everywhere })])
      return signedIn
    },
  },
  {
    name: 'open',
    title: 'skyctl opens a firewall to one address for 30 minutes: the rule says when it is closed',
    lines: [
      'skyctl firewalls open web --port 22 --from 198.51.100.7 --for 30m',
      'skyctl firewalls rules list web    # rule 1 has this mark',
    ],
    arrange: twoRules,
  },
  {
    name: 'two-factor',
    title: 'skyctl sets up two-factor authentication: it shows a QR code and asks for a code of the authenticator app',
    lines: ['skyctl profile tfa setup'],
    asks: '? Code from the authenticator app',
    scale: 0.6,
    arrange(world) {
      const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
      world.profile.security_answers.put({ id: 1, answers })
      return undefined
    },
  },
]

/** Sets two rules for the firewall `web`. */
function twoRules(world: World): undefined {
  const https = ruleThat({ label: 'https', ports: '443', ipv4: ['0.0.0.0/0'] })
  const ssh = ruleThat({ label: 'ssh', ports: '22', ipv4: ['203.0.113.0/24'] })
  setRules(world, [https, ssh])
}

/** Sets the rules of the account file, but allows SSH from a second network. */
function widerRules(world: World): undefined {
  const https = ruleThat({ ports: '443', ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] })
  const ssh = ruleThat({ ports: '22', ipv4: ['203.0.113.0/24', '198.51.100.0/24'] })
  setRules(world, [https, ssh])
}

function setRules({ network: { firewalls } }: World, rules: Parameters<typeof rulesOf>[0]): void {
  const web = firewalls.get(4001)
  if (web) firewalls.put({ ...web, rules: rulesOf(rules) })
}

const window = { columns: 72, rows: 24 }
const folder = join(import.meta.dirname, '../docs/pictures')
const fileOf = (name: string) => join(folder, `${name}.svg`)

const test = processTest.extend<Pick<Fixtures, 'sandbox'> & { shot(scene: Scene): Promise<Cell[][]> }>({
  sandbox: async ({ clock }, use) => {
    const sandbox = await openTestSandbox({ clock, transitionMs: 0 })
    await use(sandbox)
    await sandbox.close()
  },
  shot: async ({ shellTerminal, world, home, clock }, use) =>
    use(async ({ lines, asks, exits = {}, files = {}, arrange }) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
      const signedIn = arrange?.(world)
      const still = {
        ...preloading(join(import.meta.dirname, 'support/frozen-clock.cjs')),
        STILL_AT: String(clock.now()),
      }
      const env = { ...still, TZ: 'UTC', ...(signedIn !== undefined && { SKYCTL_TOKEN: signedIn }) }
      const rows: Cell[][] = []
      for (const line of lines) {
        const one = shellTerminal(line, { ...window, cwd: home, env })
        const question = line === lines.at(-1) ? asks : undefined
        if (question !== undefined) await one.until(() => waitsAt(question, one))
        else expect({ line, exit: (await one.end).exit }).toEqual({ line, exit: exits[line] ?? 0 })
        rows.push(...(rows.length > 0 ? [[]] : []), ...promptLines(line), ...windowRows(one, question !== undefined))
      }
      return rows
    }),
})

/** Reports whether the cursor is where the answer begins: the text may be read before the cursor has moved there. */
const waitsAt = (question: string, { screen, cursor }: OpenTerminal) =>
  screen().at(-1) === question && cursor().column === question.length + 1

const blank: Cell = {
  ...{ char: ' ', foreground: undefined, background: undefined },
  ...{ bold: false, dim: false, underline: false, inverse: false },
}

/** Returns a shell line after its prompt, in one row or more. */
function promptLines(line: string): Cell[][] {
  return `$ ${line}`
    .split('\n')
    .map((text, row) =>
      [...text].map((char, column) => ({ ...blank, char, dim: row + column === 0, bold: row + column > 0 })),
    )
}

/** Returns the rows of the window, with the cursor if it waits. */
function windowRows(one: OpenTerminal, waits: boolean): Cell[][] {
  const { length } = one.screen()
  // Scrolled rows would be missing.
  expect(length).toBeLessThanOrEqual(window.rows)
  const rows = one.cells().slice(0, length)
  const { row, column } = one.cursor()
  if (!waits) return rows
  return rows.map((cells, index) =>
    cells.map((cell, at) => (index === row && at === column ? { ...blank, inverse: true } : cell)),
  )
}

describe('docs/pictures', () => {
  test.for(scenes.map((scene) => [scene.name, scene] as const))(
    '%s.svg matches the program output',
    async ([name, scene], { shot }) => {
      const rows = await shot(scene)
      const picture = draw({ title: scene.title, columns: window.columns, rows, scale: scene.scale })
      const withoutBlocks = rows.map((row) => lineOf(row).replaceAll(/[▀▄█]/g, ' ').trimEnd())
      expect(linesOf(readElements(picture))).toEqual(withoutBlocks)
      await expect(picture).toMatchFileSnapshot(fileOf(name))
    },
  )

  plain('has these pictures and no others', () => {
    expect(readdirSync(folder).sort()).toEqual(scenes.map(({ name }) => `${name}.svg`).sort())
  })
})

describe.each(scenes)('the picture $name', ({ name, title }) => {
  const elements = () => readElements(readFileSync(fileOf(name), 'utf8'))

  plain('has a text for people who do not see it', () => {
    const [picture, head, words] = elements()
    expect(picture?.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title desc' })
    expect(head).toMatchObject({ name: 'title', attributes: { id: 'title' }, text: title })
    expect(words).toMatchObject({ name: 'desc', attributes: { id: 'desc' } })
    expect(words?.text).toMatch(/^\$ /)
    expect(words?.text).not.toMatch(/[▀▄█]/)
  })

  plain('has at most 80 columns, and a height for phones', () => {
    const { width, height } = elements()[0]?.attributes ?? {}
    expect(Number(width)).toBeLessThanOrEqual(80 * 10 + 2 * 24)
    expect(Number(height)).toBeLessThanOrEqual(27 * 22 + 2 * 18)
    for (const line of linesOf(elements())) expect(line.length).toBeLessThanOrEqual(window.columns)
  })

  plain.each(['light', 'dark'] as const)('has enough contrast in %s mode', (scheme) => {
    const { window = '', paper = '', ink = '', ...inks } = colorsOf(elements(), scheme)
    const names = elements().flatMap(({ name, attributes }) =>
      name === 'text' ? [attributes.class?.split(' ')[0]] : [],
    )
    expect(Object.keys(inks)).toEqual(expect.arrayContaining(names))
    for (const [name, color] of Object.entries(inks)) {
      expect(contrast(color, window), name).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(window, scheme === 'light' ? '#000000' : '#ffffff')).toBeGreaterThanOrEqual(4.5)
  })
})

plain('two-factor.svg has a QR code that a camera reads', () => {
  const elements = readElements(readFileSync(fileOf('two-factor'), 'utf8'))
  const text = linesOf(elements).join('').replaceAll(/\s/g, '')
  expect(scanPicture(elements)).toBe(/otpauth:[\w/.:?=]+&issuer=127\.0\.0\.1/.exec(text)?.[0])
})

describe('drawing a picture', () => {
  const drawText = (text: string, style: Partial<Cell> = {}) =>
    readElements(draw({ title: text, columns: 72, rows: [[...text].map((char) => ({ ...blank, ...style, char }))] }))

  plain('escapes hostile text, and replaces characters that XML does not allow', () => {
    const elements = drawText('</text><script>&amp;"\x07\ud800')
    const escaped = '</text><script>&amp;"\ufffd\ufffd'
    expect(elements.map(({ name }) => name)).toEqual(['svg', 'title', 'desc', 'style', 'rect', 'text'])
    expect([elements[1]?.text, elements[2]?.text, ...linesOf(elements)]).toEqual([escaped, escaped, escaped])
  })

  plain('positions a text by its cells, with any font', () => {
    const { attributes } = drawText('  a b  c').at(-1) ?? {}
    expect(attributes).toMatchObject({ x: '94', textLength: '10', lengthAdjust: 'spacingAndGlyphs' })
  })

  plain('keeps bold, underlined and inverse text', () => {
    expect(drawText('x', { bold: true, underline: true, foreground: 1 }).at(-1)?.attributes.class).toBe(
      'red bold underline',
    )
    expect(drawText('x', { inverse: true, foreground: 2 }).map(({ attributes }) => attributes.class)).toEqual(
      expect.arrayContaining(['green area', 'window']),
    )
  })

  plain.each([
    { foreground: 17, background: undefined },
    { foreground: 0, background: 3 },
  ])('fails for a color without an ink: %j', (style) => {
    expect(() => drawText('x', style)).toThrow('no picture has a text of colour')
  })
})
