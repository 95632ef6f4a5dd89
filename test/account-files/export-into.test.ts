/** Additions of exported resources to files that people wrote: everything else stays byte for byte. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { test } from '../support/account-files'
import { fileForms } from '../support/file-forms'

describe('export --into', () => {
  const existingFile = `# ours, in git
owner: web-team
volumes:
  data-1: { size: 40 } # keep
rdns:
  2001:DB8:114:0:F03C:91FF:FE00:03E9: null # long
`

  test('adds missing objects to a file, keeps the rest, and makes the plan empty', async ({ skyctl, home }) => {
    const path = join(home, 'web.yaml')
    writeFileSync(path, existingFile)
    chmodSync(path, 0o640)
    expect(await skyctl(`export volumes --into ${path}`)).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: `Added to "${path}": volumes.backup, volumes.data-2, volumes.database and 2 more\nAlready in it, and unchanged: volumes.data-1\n`,
    })
    expect(await skyctl(`export firewalls --filter label=web --into ${path}`)).toMatchObject({ exit: 0 })
    const text = readFileSync(path, 'utf8')
    expect(existingFile.split('\n').filter((line) => !text.split('\n').includes(line))).toEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^No changes; 8 unchanged\n$/),
    })
  })

  test('reports added and existing objects as JSON', async ({ skyctl, home }) => {
    const path = join(home, 'web.yaml')
    writeFileSync(path, existingFile)
    const { exit, stdout, stderr } = await skyctl(`export volumes --filter region=us-east --into ${path} --json`)
    expect({ exit, stderr, report: JSON.parse(stdout) }).toEqual({
      ...{ exit: 0, stderr: '' },
      report: {
        file: path,
        added: [{ kind: 'volumes', name: 'data-2' }],
        present: [{ kind: 'volumes', name: 'data-1' }],
      },
    })
  })

  test('writes nothing if the file is complete, in any spelling of a name', async ({ skyctl, home }) => {
    const path = join(home, 'web.yaml')
    writeFileSync(path, existingFile)
    const { ino } = statSync(path)
    const lines = ['volumes --filter label=data-1', 'rdns --filter address=2001:db8:114:0:f03c:91ff:fe00:3e9']
    for (const line of lines)
      expect(await skyctl(`export ${line} --into ${path}`)).toMatchObject({
        exit: 0,
        stderr: expect.stringMatching(/^Nothing to add to .*\nAlready in it, and unchanged: (volumes|rdns)\..+\n$/),
      })
    expect({ text: readFileSync(path, 'utf8'), ino: statSync(path).ino }).toEqual({ text: existingFile, ino })
  })

  test('creates a missing file, and adds to JSON files', async ({ skyctl, home }) => {
    for (const name of ['new.json', 'new.yaml']) {
      const path = join(home, name)
      for (const kind of ['volumes --owner web-team', 'firewalls', 'sshkeys', 'rdns', 'profile'])
        expect((await skyctl(`export ${kind} --into ${path} -q`)).exit).toBe(0)
      const { exit, stdout } = await skyctl(`plan ${path} --exit-code`)
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^No changes; \d\d unchanged\n$/) })
      expect(readFileSync(path, 'utf8')).toContain('web-team')
    }
    expect(JSON.parse(readFileSync(join(home, 'new.json'), 'utf8'))).toMatchObject({ owner: 'web-team' })
    expect(readFileSync(join(home, 'new.yaml'), 'utf8')).toMatch(/^# yaml-language-server:/)
  })

  test.for([
    ['owner: others\n', '--owner web-team', ':1 has the owner "others"'],
    ['volumes:\n  a: {}\n  a: {}\n', '', ':3: '],
    ['- volumes\n', '', 'Must be an object'],
    ['volumes: [\n', '', 'neither JSON nor YAML'],
    ['owner: me\nvolumes: [a]\n', '', ':2:1: volumes: Must be an object, not a list'],
    ['volumes: *data\nrdns: &data {}\n', '', 'neither JSON nor YAML'],
    ['rdns: &none {}\nvolumes: *none\n', '', 'without rewriting what it has'],
    [existingFile, '-o csv', 'a file cannot be csv'],
  ] as const)(
    'leaves a file unchanged if it cannot add to it: %j %s',
    async ([text, flags, problem], { skyctl, home }) => {
      const path = join(home, 'web.yaml')
      writeFileSync(path, text)
      const { exit, stdout, stderr } = await skyctl(`export volumes ${flags} --into ${path}`)
      expect({ exit, stdout, stderr }).toEqual({
        exit: problem.startsWith('without') ? 6 : 2,
        stdout: '',
        stderr: expect.stringContaining(problem),
      })
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  test('rejects a folder', async ({ skyctl, home }) => {
    expect(await skyctl(`export volumes --into ${home}`)).toMatchObject({
      exit: 2,
      stderr: `skyctl: --into: "${home}" is a folder. Name a file in it\n`,
    })
    expect((await skyctl(`export volumes --into ${join(home, 'none', 'a.yaml')}`)).exit).toBe(12)
  })
})

describe('a file in any form', () => {
  /** Export of a new world. */
  let exported: Record<string, object> | undefined

  test.for(fileForms)('gets two kinds and keeps its lines: %j', async (text, { skyctl, file: writeFile }) => {
    const path = writeFile('web.yaml', text)
    expect(await skyctl(`export volumes firewalls --into ${path}`)).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/^Added to /),
    })
    const result = readFileSync(path, 'utf8')
    expect(lackingLines(text, result)).toEqual([])
    expect(strayLineEnds(text, result)).toEqual([])
    exported ??= JSON.parse((await skyctl('export volumes firewalls -o json')).stdout)
    const { volumes, firewalls } = parse(result)
    expect({ volumes, firewalls }).toEqual({ ...exported, volumes: { ...exported?.volumes, ...parse(text)?.volumes } })
  })

  test('keeps its byte order mark', async ({ skyctl, file }) => {
    const path = file('web.yaml', '\ufeffowner: me\n')
    expect(await skyctl(`export volumes --into ${path}`)).toMatchObject({ exit: 0 })
    expect(readFileSync(path, 'utf8').startsWith('\ufeffowner: me\nvolumes:\n')).toBe(true)
  })

  test('gets new objects below the comments of the last one', async ({ skyctl, file }) => {
    const text = `volumes:
  data-1:
    size: 40
    # tags: see the wiki
  # data-9: { size: 20 }

# sets
rdns: {}
`
    const path = file('web.yaml', text)
    expect(await skyctl(`export volumes --filter label=data-2 --into ${path}`)).toMatchObject({ exit: 0 })
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.indexOf('  data-2:')).toBeGreaterThan(lines.indexOf('  # data-9: { size: 20 }'))
    expect(lines.indexOf('  data-2:')).toBeLessThan(lines.indexOf('# sets'))
  })

  test('stays JSON if it is JSON', async ({ skyctl, file }) => {
    const path = file('web.yaml', '{\n  "owner": "me",\n  "volumes": {\n    "data-1": { "size": 40 }\n  }\n}\n')
    expect(await skyctl(`export volumes firewalls --into ${path}`)).toMatchObject({ exit: 0 })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ owner: 'me', firewalls: { web: {} } })
  })
})

/** Returns the lines that are missing or in another order, but for those of empty values and of one-line braces. */
function lackingLines(text: string, result: string): string[] {
  const linesOf = (some: string) => some.split(/\r?\n/).map((line) => line.replaceAll(',', ''))
  const after = linesOf(result)
  let at = -1
  return linesOf(text).filter((line) => {
    if (line === '' || replacedLine.test(line)) return false
    const next = after.indexOf(line, at + 1)
    if (next !== -1) at = next
    return next === -1
  })
}

const replacedLine = /^(?:[\s"'\w-]*:|---)?\s*(?:[&!]\S+ )?(?:\{[^#]*|null|~)(?: #.*)?$/

/** Returns line ends in the result of a kind that the text does not have. */
function strayLineEnds(text: string, result: string): string[] {
  const kinds = new Set(text.match(/\r?\n/g) ?? ['\n'])
  return (result.match(/\r?\n/g) ?? []).filter((end) => !kinds.has(end))
}

describe('a file that renames', () => {
  test('does not get what it will rename', async ({ skyctl, file }) => {
    const path = file('web.yaml', 'volumes:\n  pgdata: { was: data-1, size: 50 }\n')
    const { exit, stdout } = await skyctl(`export volumes --into ${path} --json`)
    expect({ exit, present: JSON.parse(stdout).present }).toEqual({
      exit: 0,
      present: [{ kind: 'volumes', name: 'data-1' }],
    })
    expect(readFileSync(path, 'utf8')).not.toContain('data-1:')
    expect(await skyctl(`plan ${path}`)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(
        /^~ volume "pgdata" \(3001\)\n {4}renamed from "data-1"\n(?: {4}.*\n)*1 to update; \d unchanged/,
      ),
    })
  })
})
