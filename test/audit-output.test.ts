/** Output of `audit`: counts, verdicts, commands for the same account, and rows that fit the screen. */
import { describe, expect } from 'vitest'
import { severities } from '../src/audit/check'
import { checks } from '../src/audit/checks'
import { test } from './support/audit-stage'
import { cases, guard } from './support/audited-world'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')

describe('the verdict', () => {
  test('counts findings from the severity of --fail-on up, names these severities, and exits with 13', async ({
    skyctl,
    world,
    clean,
  }) => {
    cases['app-write-scopes'].has(world)
    const verdict = async (flags: string) => {
      const { exit, stderr } = await skyctl(`audit ${flags}`)
      return [exit, stderr]
    }
    const medium = 'skyctl: 1 finding of severity critical or high or medium\n'
    expect({ one: await verdict('--fail-on medium'), clean }).toEqual({ one: [13, medium] })
    cases['volume-unattached'].has(world)
    expect(await verdict('--fail-on medium')).toEqual([13, medium])
    expect(await verdict('--fail-on low')).toEqual([
      13,
      'skyctl: 2 findings of severity critical or high or medium or low\n',
    ])
    for (const flags of ['--fail-on high', '']) expect(await verdict(flags)).toEqual([0, ''])
  })

  test('counts findings by severity, and exceptions', async ({ skyctl, world, clean, file }) => {
    cases['app-write-scopes'].has(world)
    cases['volume-unattached'].has(world)
    const { counts } = json((await skyctl('audit --json')).stdout)
    expect({ counts, clean }).toEqual({ counts: { critical: 0, high: 0, medium: 1, low: 1 } })
    const last = async (flags: string) => lines((await skyctl(`audit ${flags}`)).stdout).at(-1)
    expect(await last('')).toBe(`1 medium, 1 low (${checks.length} checks)`)
    expect(await last('--code volume-unattached')).toBe('1 low (1 check)')
    const path = file('audit.ignore', 'volume-unattached:*  kept\n')
    expect(await last(`--ignore ${path}`)).toBe(`1 medium; 1 excepted (${checks.length} checks)`)
    expect(await last(`--ignore ${path} --code volume-unattached`)).toBe('No findings; 1 excepted (1 check)')
  })

  test('names the number of checks that were skipped', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const { stdout } = await skyctl('audit --code volume-unattached,token-never-expires', { env })
    expect(lines(stdout).at(-1)).toMatch(/^\d+ low \(1 check; the others were skipped\)$/)
  })
})

describe('--code', () => {
  test('accepts several codes, in one list or repeated', async ({ skyctl, world, clean }) => {
    cases['app-write-scopes'].has(world)
    cases['volume-unattached'].has(world)
    for (const flags of [
      ['--code', 'volume-unattached, app-write-scopes'],
      ['--code', 'volume-unattached', '--code', 'app-write-scopes'],
    ]) {
      const { checked, findings } = json((await skyctl(['audit', '--json', ...flags])).stdout)
      expect({ checked, findings: findings.length, clean }).toEqual({ checked: 2, findings: 2 })
    }
  })

  test('lists the codes if none is similar', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('audit --code qqqqqqqqqqqq')
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(`unknown code "qqqqqqqqqqqq". The codes are: ${checks.map(({ code }) => code).join(', ')}`)
  })
})

describe('commands', () => {
  test('use the address on the command line, and no other', async ({ skyctl, sandbox, world, clean }) => {
    cases['volume-unattached'].has(world)
    const command = async (globals: string) =>
      json((await skyctl(`${globals} audit --json`)).stdout).findings[0].command as string
    expect({ plain: await command(''), clean }).toEqual({ plain: expect.not.stringContaining('--base-url') })
    expect(await command(`--base-url ${sandbox.baseUrl}`)).toMatch(
      new RegExp(`^skyctl volumes .* --base-url ${sandbox.baseUrl}$`),
    )
  })
})

describe('warnings', () => {
  test('list unused exceptions and skipped checks, except in JSON', async ({ skyctl, world, file }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('audit.ignore', 'volume-unattached:nobody  kept\n')
    const line = `audit --code volume-unattached,token-never-expires --ignore ${path}`
    const unused = `skyctl: warning: ${path}:1: volume-unattached:nobody is unused: it matches no finding`
    const skipped = 'skyctl: warning: not checked: tokens: the token lacks the scope account:read_only'
    const warnings = async (flags: string) =>
      lines((await skyctl(`${line} ${flags}`, { env })).stderr).map((text) => text.replace(/; it has .*/, ''))
    for (const flags of ['-o csv', '-q']) expect(await warnings(flags)).toEqual([unused, skipped])
    expect(await warnings('')).toEqual([unused])
    expect(await warnings('--json')).toEqual([''])
    expect(await warnings('--json --columns code')).toHaveLength(2)
    const stdin = await skyctl('audit --code volume-unattached --ignore - -q', {
      env,
      stdin: 'volume-unattached:nobody  kept\n',
    })
    expect(stdin.stderr).toMatch(/^skyctl: warning: \S+:1: volume-unattached:nobody is unused/)
    expect(stdin.stderr).not.toContain('warning: -:')
  })
})

describe('a screen', () => {
  const maxRows = 23

  test('has at most 23 rows for a severity, and the number of the others', async ({ skyctl, world, clean }) => {
    for (let count = 0; count < 30; count += 1) world.volume({ label: `left-${count}` })
    const { stdout } = await skyctl('audit', { columns: 100, env: { NO_COLOR: '1' } })
    const [first, block = ''] = stdout.split('\n\n')
    expect(first).toBe('30 findings: 30 low')
    const shown = lines(block).filter((line) => /^ {4}volume "left-\d+"/.test(line))
    // A head, a title, three rows each, and the number left out: one more does not fit.
    expect({ shown: shown.length, height: lines(block).length, clean }).toEqual({ shown: 6, height: maxRows - 2 })
    expect(lines(block)[0]).toBe('LOW (30)')
    expect(lines(block).at(-1)).toBe('    and 24 more: skyctl audit --code volume-unattached')
  })

  test('shows all findings if they just fit', async ({ skyctl, world, clean }) => {
    for (let count = 0; count < 7; count += 1) world.volume({ label: `left-${count}` })
    const { stdout } = await skyctl('audit', { columns: 100, env: { NO_COLOR: '1' } })
    expect({ more: stdout.includes(' more: '), height: lines(stdout.split('\n\n')[1] ?? '').length, clean }).toEqual({
      more: false,
      height: maxRows,
    })
  })

  test('prints the fix of adjacent findings once', async ({ skyctl, world, clean }) => {
    const id = guard(world, 'web', [], { policy: 'ACCEPT' })
    const { stdout } = await skyctl('audit --code database-port-open', { columns: 100, env: { NO_COLOR: '1' } })
    expect({ findings: lines(stdout).filter((line) => line.startsWith('    firewall "web"')).length, clean }).toEqual({
      findings: 2,
    })
    const fix = `skyctl firewalls rules update ${id} --inbound-policy drop`
    expect(lines(stdout).filter((line) => line.trim() === fix)).toHaveLength(1)
  })

  test('shows the most severe first, each below its heading in its own colour', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit', { columns: 80, env: { FORCE_COLOR: '1' } })
    const heads = severities.map((severity) => stdout.indexOf(`${severity.toUpperCase()} (`))
    expect(heads).toEqual(heads.toSorted((a, b) => a - b))
    const tones = { CRITICAL: 31, HIGH: 31, MEDIUM: 33, LOW: 36 }
    for (const [head, tone] of Object.entries(tones))
      expect(stdout).toMatch(new RegExp(`\\u001b\\[${tone}m(\\u001b\\[1m)?${head} \\(`))
  })
})
