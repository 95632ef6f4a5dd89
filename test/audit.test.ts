/** Audit findings, their output, and skipped checks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect } from 'vitest'
import { severities } from '../src/audit/check'
import { checks } from '../src/audit/checks'
import { type Finding, findingsOf, objectOf, test } from './support/audit-stage'
import { cases, everybody, guard, rsa } from './support/audited-world'
import { manualClock } from './support/clock'
import { faultServer, reply, type Script } from './support/fault-server'
import { rulesOf, ruleThat } from './support/firewall-rules'
import { testClock } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')

test('a flawless account has no findings', async ({ skyctl, clean }) => {
  const { exit, stdout } = await skyctl('audit --fail-on low --json')
  expect({ exit, findings: json(stdout).findings, skipped: json(stdout).skipped, clean }).toEqual({
    exit: 0,
    findings: [],
    skipped: [],
  })
  expect((await skyctl('audit')).stdout).toBe(`No findings (${checks.length} checks)\n`)
})

test('every code has a world with just this finding, and one without it', () => {
  expect(Object.keys(cases).toSorted()).toEqual(checks.map(({ code }) => code).toSorted())
})

describe.for(Object.entries(cases))('%s', ([code, { has, hasNot, lists }]) => {
  test('is the only finding of its world, with the command that fixes it', async ({
    skyctl,
    world,
    clean,
    listing,
  }) => {
    const { object, command, alternatives = [] } = has(world)
    const { exit, stdout } = await skyctl('audit --json', { env: await listing(lists?.has) })
    const findings = findingsOf(stdout).map((one) => [one.code, objectOf(one), one.command, one.alternatives])
    expect({ exit, findings, skipped: json(stdout).skipped, clean }).toEqual({
      exit: 0,
      findings: [[code, object, command, alternatives]],
      skipped: [],
    })
  })

  test('is missing in a similar world', async ({ skyctl, world, clean, listing }) => {
    hasNot(world)
    const { stdout } = await skyctl(`audit --code ${code} --json`, { env: await listing(lists?.hasNot) })
    expect({ findings: json(stdout).findings, checked: json(stdout).checked, clean }).toEqual({
      findings: [],
      checked: 1,
    })
  })
})

test('audit and firewalls test still find a port open by policy after its rule is removed', async ({
  skyctl,
  world,
  clean,
}) => {
  const postgres = ruleThat({ ports: '5432', ipv4: everybody, ipv6: ['::/0'], label: 'postgres' })
  const id = guard(world, 'web', [postgres], { policy: 'ACCEPT' })
  const verdicts = async () => {
    const packet = `${id} --protocol tcp --port 5432 --from 198.51.100.7`
    const { action } = json((await skyctl(`firewalls test ${packet} --json`)).stdout)
    const { exit, stdout } = await skyctl('audit --code database-port-open --fail-on critical --json')
    const open = findingsOf(stdout).filter(({ reason }) => reason.includes('PostgreSQL (5432)'))
    return { action, exit, by: open.map(({ reason }) => reason.replace(/^.* by (.*);.*$/, '$1')) }
  }
  const open = { action: 'ACCEPT', exit: 13 }
  expect({ ...(await verdicts()), clean }).toEqual({ ...open, by: ['inbound rule 1 "postgres"'] })
  const env = { SKYCTL_TOKEN: world.token('firewall:read_write') }
  expect((await skyctl(`firewalls rules remove ${id} inbound label:postgres --yes`, { env })).exit).toBe(0)
  expect(await verdicts()).toEqual({ ...open, by: ['the inbound policy'] })
  world.network.firewalls.put({ ...world.network.firewall({ label: 'model', rules: rulesOf([]) }), id, label: 'web' })
  expect(await verdicts()).toEqual({ action: 'DROP', exit: 0, by: [] })
})

describe('failed-logins', () => {
  let id = 0
  const login = (day: number, status: string, ip = '198.51.100.9') => {
    const datetime = `2026-01-0${day}T08:00:00`
    id += 1
    return { id, datetime, ip, username: 'owner', restricted: false, status }
  }
  const findingsFor = async (
    logins: object[],
    skyctl: (line: string, options: object) => Promise<{ stdout: string }>,
  ) => {
    const { env } = await faultServer(reply(200, { data: logins, page: 1, pages: 1, results: logins.length }))
    return json((await skyctl('audit --code failed-logins --json', { env })).stdout).findings
  }

  test('is reported for each address with failed logins', async ({ skyctl }) => {
    const logins = [
      ...[login(2, 'failed'), login(1, 'failed'), login(3, 'successful')],
      ...[login(4, 'failed', '192.0.2.7'), login(3, 'successful', '192.0.2.7'), login(5, 'successful', '192.0.2.8')],
      ...[login(6, 'failed', '192.0.2.9'), login(6, 'successful', '192.0.2.9')],
    ]
    const list = 'skyctl profile logins list --filter ip='
    expect(await findingsFor(logins, skyctl)).toMatchObject([
      {
        object: { id: '198.51.100.9' },
        reason: 'failed 2 times, last at 2026-01-02T08:00:00 (UTC), and succeeded later',
        command: `${list}198.51.100.9`,
      },
      {
        object: { id: '192.0.2.7' },
        reason: 'failed once, last at 2026-01-04T08:00:00 (UTC)',
        command: `${list}192.0.2.7`,
      },
      {
        object: { id: '192.0.2.9' },
        reason: 'failed once, last at 2026-01-06T08:00:00 (UTC), and succeeded later',
        command: `${list}192.0.2.9`,
      },
    ])
  })
})

/** Codes without a finding in the built-in world; their worlds are in `cases`. */
const notBuiltIn: readonly string[] = [
  ...['unknown-protocol-open', 'opening-expired', 'balancer-unprotected', 'large-network-open'],
  ...['wide-range-open', 'failed-logins', 'rule-not-judged', 'token-long-lived'],
]

describe('the built-in world', () => {
  test('has findings of most codes, most severe first', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit --json')
    const findings: Finding[] = json(stdout).findings
    const ranks = findings.map(({ severity }) => severities.indexOf(severity))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    const missing = checks.map(({ code }) => code).filter((code) => !findings.some((one) => one.code === code))
    expect(missing).toEqual([...notBuiltIn])
  })
})

/** Placeholders with example values. */
const placeholders = [
  ['NAME', 'a.example.net'],
  ['COMPUTE_ID', '1001'],
  ['COMMAND', 'regions,volumes'],
  ['FIREWALL', 'web'],
] as const

describe('every command that fixes a finding', () => {
  test('is a valid command line', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit --json')
    const findings: Finding[] = json(stdout).findings
    const commands = new Map(findings.map(({ code, command, alternatives }) => [code, [command, ...alternatives]]))
    for (const command of [...commands.values()].flat()) {
      // Questions, editors and guides need a terminal; nothing is sent without one.
      const line = placeholders.reduce(
        (text, [word, value]) => text.replace(word, value),
        command.replace(/^skyctl /, ''),
      )
      const { exit, stderr } = await skyctl(`${line} ${/rotate|create|add|attach/.test(line) ? '--dry-run' : ''}`)
      expect({ command, exit: [0, 2, 3, 6, 12].includes(exit), stderr }).toEqual({
        command,
        exit: true,
        stderr: expect.not.stringMatching(/unknown|surplus|Did you mean/),
      })
    }
  })

  test("has the command line's --context", async ({ skyctl, home }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_STATE_DIR: home }
    const { stdout } = await skyctl('--context sandbox audit --code two-factor-off --json', { env })
    expect(json(stdout).findings[0].command).toBe('skyctl profile tfa setup --context sandbox')
  })
})

describe('--fail-on', () => {
  test('rejects a word that is not a severity', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('audit --fail-on bad')
    expect({ exit, stderr, sent: world.requests() }).toEqual({
      exit: 2,
      stderr: 'skyctl: --fail-on: "bad" is not one of critical, high, medium, low\n',
      sent: [],
    })
  })
})

describe('--code', () => {
  test('reads only the lists it needs, and rejects an unknown code', async ({ skyctl, world }) => {
    await skyctl('audit --code volume-unattached')
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/volumes'])
    const { exit, stderr } = await skyctl('audit --code volume-unatached')
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: 'skyctl: --code: unknown code "volume-unatached". Did you mean "volume-unattached"?\n',
    })
  })
})

test('every list is read once, as are the services of each firewall', async ({ skyctl, world }) => {
  await skyctl('audit --json')
  const requests = world.requests().map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const devices = world.network.firewalls.all().map(({ id }) => `GET /networking/firewalls/${id}/devices`)
  const rest = ['profile', 'profile/security-questions', 'profile/apps', 'profile/logins', 'profile/sshkeys']
  const lists = [...rest, 'profile/grants', 'profile/tokens', 'volumes', 'networking/firewalls', 'networking/ips']
  expect(requests.toSorted()).toEqual([...lists.map((path) => `GET /${path}`), ...devices].toSorted())
})

describe('a list that the token may not read', () => {
  test('is named as not checked, in JSON and on a screen', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const document = json((await skyctl('audit --json', { env })).stdout)
    expect(document.findings.map(({ code }: Finding) => code)).toContain('volume-unattached')
    expect(document.skipped).toContainEqual({
      part: 'firewalls',
      codes: expect.arrayContaining(['admin-port-open', 'instance-unprotected']),
      error: { code: 'not_allowed', message: 'the token lacks the scope firewall:read_only; it has volumes:read_only' },
    })
    const screen = await skyctl('audit', { env })
    expect(screen.stdout).toContain('NOT CHECKED\n')
    expect(screen.stdout).toContain('  tokens: the token lacks the scope account:read_only')
    expect(screen).toMatchObject({ exit: 0, stderr: '' })
    const otherScopes = ['account', 'computes', 'ips', 'volumes'].map((name) => `${name}:read_only`).join(' ')
    const one = await skyctl('audit', { env: { SKYCTL_TOKEN: world.token(otherScopes) } })
    expect(one.stdout).toContain('NOT CHECKED\n  firewalls: the token lacks the scope firewall:read_only')
  })

  test('leads to exit code 4 if --fail-on concerns its checks', async ({ skyctl, world, clean }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const line = 'audit --code volume-unattached,token-never-expires'
    const exits = await Promise.all(
      ['', '--fail-on low', '--fail-on high'].map((flag) => skyctl(`${line} ${flag}`, { env })),
    )
    expect({ exits: exits.map(({ exit }) => exit), clean }).toEqual({ exits: [0, 4, 0] })
  })

  test('leads to exit code 4 without output if it was the only one', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    expect(await skyctl('audit --code token-never-expires --json', { env })).toMatchObject({ exit: 4, stdout: '' })
  })
})

describe('a failed request', () => {
  const page = (data: object[]) => reply(200, { data, page: 1, pages: 1, results: data.length })
  const failingAt =
    (path: string, script: Script): Script =>
    (socket, heard) =>
      (heard.path.includes(path) ? script : page([]))(socket, heard)

  test('is named as not checked, and sets the exit code', async ({ skyctl }) => {
    const { env } = await faultServer(failingAt('/profile/tokens', reply(503, {})))
    const line = 'audit --code token-never-expires,volume-unattached --json'
    const { exit, stdout, stderr } = await skyctl(line, { env })
    const { error } = json(lines(stderr).at(-1) ?? '')
    expect({ exit, skipped: json(stdout).skipped, checked: json(stdout).checked, error }).toMatchObject({
      exit: 8,
      skipped: [
        { part: 'tokens', codes: ['token-never-expires'], error: { code: 'unavailable', message: expect.any(String) } },
      ],
      checked: 1,
      error: {
        code: 'unavailable',
        status: 503,
        request: { method: 'GET', path: expect.stringMatching(/^\/profile\/tokens\?/) },
      },
    })
    expect(error.message).toBe(`tokens could not be checked: ${json(stdout).skipped[0].error.message}`)
  })

  test('ends the audit if the token is unknown', async ({ skyctl }) => {
    expect(await skyctl('audit --json', { env: { SKYCTL_TOKEN: 'unknown' } })).toMatchObject({ exit: 3, stdout: '' })
  })

  test('ends the audit if the token is revoked meanwhile', async ({ skyctl }) => {
    const { env } = await faultServer(
      failingAt('/profile/tokens', reply(401, { errors: [{ reason: 'Invalid Token' }] })),
    )
    expect(await skyctl('audit --code token-never-expires,volume-unattached', { env })).toMatchObject({
      exit: 3,
      stdout: '',
    })
  })

  const time = '2026-01-01T00:00:00'
  const noRules = { inbound: null, inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' }

  /** Returns exit code and report for an account with one firewall whose devices are answered by `devices`. */
  const withFirewall = async (
    rules: object,
    devices: Script,
    skyctl: (line: string, options: object) => Promise<{ exit: number; stdout: string }>,
  ) => {
    const firewall = { id: 7, label: 'web', status: 'enabled', tags: [], rules, created: time, updated: time }
    const { env } = await faultServer((socket, heard) => {
      const script = heard.path.includes('/devices')
        ? devices
        : page(heard.path.includes('/firewalls') ? [firewall] : [])
      script(socket, heard)
    })
    const { exit, stdout } = await skyctl('audit --code firewall-unused,volume-unattached --json', { env })
    return { exit, ...json(stdout) }
  }

  test('about a deleted firewall is no failure', async ({ skyctl }) => {
    const { exit, findings, skipped } = await withFirewall(
      noRules,
      reply(404, { errors: [{ reason: 'Not found' }] }),
      skyctl,
    )
    expect({ exit, findings, skipped }).toEqual({ exit: 0, findings: [], skipped: [] })
  })

  test.for<[what: string, rules: object, devices: Script, code: string, exit: number]>([
    ['an unavailable list of services', noRules, reply(503, {}), 'unavailable', 8],
    ['invalid rules', { inbound_policy: 'DROP' }, page([]), 'some_failed', 9],
  ])('means that no firewall is checked: %s', async ([, rules, devices, code, expectedExit], { skyctl }) => {
    const { exit, findings, skipped } = await withFirewall(rules, devices, skyctl)
    expect({ exit, findings, skipped }).toMatchObject({
      exit: expectedExit,
      findings: [],
      skipped: [{ part: 'firewalls', codes: ['firewall-unused'], error: { code } }],
    })
  })
})

test("an exception ends with its last day, by the machine's clock if answers have no time", async ({
  skyctl,
  file,
}) => {
  const key = { id: 1, label: 'old', ssh_key: rsa(1024), created: '2026-01-01T00:00:00' }
  const { env } = await faultServer(reply(200, { data: [key], page: 1, pages: 1, results: 1 }))
  const exceptionOn = async (day: string) => {
    const path = file('audit.ignore', `ssh-key-weak:1 exp:${day}  replaced soon`)
    const { stdout } = await skyctl(`audit --code ssh-key-weak --ignore ${path} --json`, { env })
    const { findings, ignored } = json(stdout)
    return { findings: findings.length, ignored: ignored.length }
  }
  expect(await exceptionOn('2026-02-01')).toEqual({ findings: 0, ignored: 1 })
  expect(await exceptionOn('2026-01-01')).toEqual({ findings: 1, ignored: 0 })
})

test("expiry is judged by the service's clock, not by a wrong local one", async ({ skyctl, world, clean }) => {
  const { command } = cases['token-expires-soon'].has(world)
  const { stdout } = await skyctl('audit --json', { clock: testClock(manualClock(Date.UTC(2027, 0, 1))) })
  expect({ findings: json(stdout).findings, clean }).toMatchObject({
    findings: [{ code: 'token-expires-soon', command }],
  })
})

describe('a file of exceptions', () => {
  test('excepts findings by id, label, part or code, with a reason', async ({ skyctl, world, clean, file }) => {
    const fixes = [cases['volume-unattached'].has(world), cases['admin-port-open'].has(world)]
    expect((await skyctl('audit -q')).stdout).toMatch(/^admin-port-open:\d+\/tcp\/22\nvolume-unattached:\d+\n$/)
    for (const object of ['web', 'web/tcp/22', fixes[1]?.object.split(' ').slice(1).join('/'), '*']) {
      const path = file(
        'audit.ignore',
        `# for a while\n\nadmin-port-open:${object}  a bastion\nvolume-unattached:left kept\n`,
      )
      const { exit, stdout } = await skyctl(`audit --ignore ${path} --fail-on low --json`)
      const document = json(stdout)
      expect({ exit, findings: document.findings, unused: document.unused, clean }).toEqual({
        exit: 0,
        findings: [],
        unused: [],
      })
      expect(document.ignored.map(({ because }: { because: string }) => because)).toEqual(['a bastion', 'kept'])
    }
  })

  test('can be the output of --quiet with reasons added', async ({ skyctl, file }) => {
    const { stdout } = await skyctl('audit -q')
    const path = file('audit.ignore', stdout.replaceAll('\n', '  known\n'))
    const document = json((await skyctl(`audit --ignore ${path} --json`)).stdout)
    expect({ left: document.findings, unused: document.unused, ignored: document.ignored.length }).toEqual({
      left: [],
      unused: [],
      ignored: lines(stdout).length,
    })
  })

  test.for<[line: string, exit: number]>([
    ['volume-unattached:left kept', 0],
    ['  volume-unattached:left \t kept for a while  ', 0],
    ['volume-unattached:"left"  kept', 0],
    ['volume-unattached:label:left  kept', 0],
    ['volume-unattached:left   exp:2026-01-31   kept', 0],
    ['volume-unattached:left exp:2026-01-14 kept', 13],
    ['volume-unattached:left-2 kept', 13],
    ['volume-unattached:"left 2" kept', 13],
    ['volume-unattached:id:left kept', 13],
    ['firewall-unused:left kept', 13],
    ['volume-unattached:left', 2],
    ['volume-unattached:left exp:2026-01-31', 2],
    ['volume-unattached:"left" ', 2],
    ['volume-unattached:"left kept', 13],
    ['volume-unattached: kept', 2],
    ['volume-unattached left kept', 2],
    ['"volume-unattached":left kept', 2],
    ['x volume-unattached:left kept', 2],
    ['volume-unattached:"left"kept', 2],
  ])('is read line by line: %s', async ([line, expectedExit], { skyctl, world, clean, file }) => {
    cases['volume-unattached'].has(world)
    const path = file('audit.ignore', `# kept\r\n\r\n${line}\r\n`)
    const { exit } = await skyctl(`audit --ignore ${path} --fail-on low`)
    expect({ exit, clean }).toEqual({ exit: expectedExit })
  })

  test.for<[label: string, objects: string[], others: string[]]>([
    ['left over', ['"left over"', '"label:left over"'], ['left', 'over']],
    ['2026', ['label:2026'], ['2026']],
    ['7-days', ['7-days', 'label:7-days'], ['7']],
    ['day-7', ['day-7', 'label:day-7'], ['7']],
  ])(
    'names an object by its label, with label: if it could be an id: %s',
    async ([label, objects, others], { skyctl, world, clean, file }) => {
      world.volume({ label })
      for (const object of [...objects, ...others]) {
        const path = file('audit.ignore', `volume-unattached:${object}  kept`)
        const { exit } = await skyctl(`audit --ignore ${path} --fail-on low`)
        expect({ object, exit, clean }).toEqual({ object, exit: objects.includes(object) ? 0 : 13 })
      }
    },
  )

  test('does not except a wider finding', async ({ skyctl, world, clean, file }) => {
    cases['admin-port-open'].has(world)
    for (const object of ['web/tcp/2', 'web/tcp/22-23', 'we', '1']) {
      const path = file('audit.ignore', `admin-port-open:${object}  a bastion\n`)
      const { stdout, stderr } = await skyctl(`audit --ignore ${path}`)
      expect({ stdout, clean }).toEqual({ stdout: expect.stringContaining('tcp/22') })
      expect(stderr).toBe(`skyctl: warning: ${path}:1: admin-port-open:${object} is unused: it matches no finding\n`)
    }
  })

  test('ends an exception at the end of its day', async ({ skyctl, world, clock, clean, file }) => {
    cases['volume-unattached'].has(world)
    const statusFor = async (day: string) => {
      const path = file('audit.ignore', `volume-unattached:left exp:${day}  moves soon`)
      const { findings, unused } = json((await skyctl(`audit --ignore ${path} --json`)).stdout)
      return [findings.length, unused.map(({ why }: { why: string }) => why)]
    }
    const active = [0, []]
    const expired = [1, ['it has expired']]
    expect({ today: await statusFor('2026-01-15'), before: await statusFor('2026-01-14'), clean }).toEqual({
      today: active,
      before: expired,
    })
    clock.advance(12 * 3_600_000)
    expect({ today: await statusFor('2026-01-15'), tomorrow: await statusFor('2026-01-16') }).toEqual({
      today: expired,
      tomorrow: active,
    })
  })

  test('does not call exceptions of skipped checks unused', async ({ skyctl, world, file }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('audit.ignore', 'token-never-expires:1  rotated by hand')
    expect(json((await skyctl(`audit --ignore ${path} --json`, { env })).stdout).unused).toEqual([])
  })

  test('is rejected with all its mistakes before any request', async ({ skyctl, world, file }) => {
    const mistakes = [
      ...['two-factor-off:profile', 'two-factor-of:profile x', 'web  because', 'rule-budget:web exp:soon  x'],
      'qqqqqqqqqqqq:web  x',
    ]
    const path = file('audit.ignore', mistakes.join('\n'))
    const { exit, stdout, stderr } = await skyctl(`audit --ignore ${path}`)
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(lines(stderr.replaceAll(`skyctl: ${path}`, ''))).toEqual([
      ':1: the reason is missing. Write it after the object',
      ':2: unknown code "two-factor-of". Did you mean "two-factor-off"?',
      ':3: must be CODE:OBJECT and a reason, as "firewall-unused:spare  kept for the next move"',
      ':4: exp: "soon" is not a date such as 2027-01-31',
      ':5: unknown code "qqqqqqqqqqqq". See docs/audit.md',
      '5 problems; nothing was checked',
    ])
    const { error } = json((await skyctl(`audit --ignore ${path} --json`)).stderr)
    expect(error.failures.map((one: { error: { code: string } }) => one.error.code)).toEqual(
      mistakes.map(() => 'usage'),
    )
    const single = file('audit.ignore', 'two-factor-off:profile')
    expect((await skyctl(`audit --ignore ${single}`)).stderr).toContain('1 problem; nothing was checked')
  })

  test('can be stdin, and must exist', async ({ skyctl, world, clean }) => {
    cases['volume-unattached'].has(world)
    const { stdout } = await skyctl('audit --ignore - -q', { stdin: 'volume-unattached:left  kept' })
    expect({ stdout, clean }).toEqual({ stdout: '' })
    expect(await skyctl('audit --ignore none')).toMatchObject({ exit: 12, stdout: '' })
  })
})

describe('a row', () => {
  test('is a finding, with the requested columns', async ({ skyctl, world, clean }) => {
    const { object, command } = cases['volume-unattached'].has(world)
    const id = object.split(' ')[1]
    expect({ csv: (await skyctl('audit -o csv')).stdout, clean }).toEqual({
      csv:
        'severity,code,kind,id,label,part,reason,command\n' +
        `low,volume-unattached,volume,${id},left,,20 GiB in us-east; deleting it destroys its data,${command}\n`,
    })
    const cut = json((await skyctl('audit --columns code,label --json')).stdout)
    expect(cut).toEqual([{ code: 'volume-unattached', label: 'left' }])
  })
})

describe('a screen', () => {
  const heads = /^(CRITICAL|HIGH|MEDIUM|LOW) \(\d+\)$/

  test('shows each severity of the built-in world completely on 24 rows of 80 columns', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit', { columns: 80, env: { NO_COLOR: '1' } })
    const blocks = stdout.split('\n\n').filter((block) => heads.test(lines(block)[0] ?? ''))
    expect(blocks).toHaveLength(severities.length)
    for (const block of blocks) expect(lines(block).length).toBeLessThan(24)
    const { stdout: coloured } = await skyctl('audit', { columns: 80, env: { FORCE_COLOR: '1' } })
    expect(stripVTControlCharacters(coloured)).toBe(stdout)
    expect(coloured).not.toBe(stdout)
    expect(lines(stdout).filter((line) => line.length > 80)).toEqual([])
    const shown = checks.map(({ code }) => code).filter((code) => stdout.includes(code))
    expect(shown).toHaveLength(checks.length - notBuiltIn.length)
  })

  test('shows all findings of a single code, and all in a pipe', async ({ skyctl, world }) => {
    for (let count = 0; count < 30; count += 1) world.volume({ label: `left-${count}` })
    const all = await skyctl('audit --code volume-unattached', { columns: 80 })
    expect(all.stdout).toContain('left-29')
    expect((await skyctl('audit')).stdout).toContain('left-29')
  })

  test('of 40 columns breaks between words, but not within commands', async ({ skyctl, world, clean }) => {
    cases['volume-unattached'].has(world)
    const { stdout } = await skyctl('audit', { columns: 40, env: { NO_COLOR: '1' } })
    const long = lines(stdout).filter((line) => line.length > 40 && !/^ {6}(or: )?skyctl /.test(line))
    expect({ long, clean }).toEqual({ long: [] })
  })

  test('names severities in words, and escapes labels', async ({ skyctl, world, clean }) => {
    world.volume({ label: 'a\u001b[2J\u202eb' })
    const { stdout } = await skyctl('audit', { columns: 80, env: { FORCE_COLOR: '1' } })
    expect({ stdout, clean }).toEqual({ stdout: expect.stringContaining('LOW (1)') })
    expect(stdout).toContain('a\\x1b[2J\\u202eb')
  })
})

describe('docs/audit.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/audit.md'), 'utf8')

  test('explains each code with its severity, reason, check and fix', () => {
    const sections = [...text.matchAll(/^### `(\S+)`\n\n(.*)\n\n((?:(?!^##).*\n)*)/gm)]
    expect(sections.map(([, code]) => code)).toEqual(checks.map(({ code }) => code))
    for (const [index, [, code, head, body = '']] of sections.entries()) {
      const { severity, title } = checks[index] ?? { severity: '', title: '' }
      expect({ code, head }).toEqual({ code, head: `${title}. Severity: ${severity}.` })
      for (const part of ['Why:', 'How:', 'Fix:'])
        expect({ code, has: body.includes(`\n- ${part} `) || body.startsWith(`- ${part} `) }).toEqual({
          code,
          has: true,
        })
    }
  })
})
