/** Findings of an audit, how they are printed, and what is named as not checked (state.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect } from 'vitest'
import { auditAccount } from '../src/audit/audit'
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

test('an account without fault has no finding', async ({ skyctl, clean }) => {
  const { exit, stdout } = await skyctl('audit --fail-on low --json')
  expect({ exit, found: json(stdout).findings, unseen: json(stdout).not_looked_at, clean }).toEqual({
    exit: 0,
    found: [],
    unseen: [],
  })
  expect((await skyctl('audit')).stdout).toBe(`No findings (${checks.length} checks)\n`)
})

test('the checks of a firewall run before the rules of the next one are read', () => {
  const read: number[] = []
  const guards = [1, 2, 3].map((id) => ({
    ...{ id, label: `fw-${id}`, status: 'enabled', devices: [] },
    get rules() {
      if (read.at(-1) !== id) read.push(id)
      return rulesOf([])
    },
  }))
  const chosen = checks.filter(({ needs }) => needs.join() === 'firewalls')
  const world = {
    now: 0,
    computeLabels: new Map(),
    isInUse: () => false,
    networkName: () => undefined,
    firewalls: guards,
  }
  const { findings } = auditAccount(chosen, { world, failed: new Map() }, [])
  expect(findings.length).toBeGreaterThan(0)
  expect(read).toEqual([1, 2, 3])
})

test('every code has a world in which just that is found, and one in which it is not', () => {
  expect(Object.keys(cases).toSorted()).toEqual(checks.map(({ code }) => code).toSorted())
})

describe.for(Object.entries(cases))('%s', ([code, { has, hasNot, lists }]) => {
  test('is found where it is, with what fixes it, and nothing else is', async ({ skyctl, world, clean, listing }) => {
    const { object, command, alternatives = [] } = has(world)
    const { exit, stdout } = await skyctl('audit --json', { env: await listing(lists?.has) })
    const found = findingsOf(stdout).map((one) => [one.code, objectOf(one), one.command, one.alternatives])
    expect({ exit, found, unseen: json(stdout).not_looked_at, clean }).toEqual({
      exit: 0,
      found: [[code, object, command, alternatives]],
      unseen: [],
    })
  })

  test('is not found where it only looks so', async ({ skyctl, world, clean, listing }) => {
    hasNot(world)
    const { stdout } = await skyctl(`audit --code ${code} --json`, { env: await listing(lists?.hasNot) })
    expect({ found: json(stdout).findings, checked: json(stdout).checked, clean }).toEqual({ found: [], checked: 1 })
  })
})

test('removing a rule closes no port that the inbound policy allows: audit and firewalls test say the same', async ({
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
    return { action, exit, by: open.map(({ reason }) => reason.replace(/^.* by /, '')) }
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
  const told = async (logins: object[], skyctl: (line: string, options: object) => Promise<{ stdout: string }>) => {
    const { env } = await faultServer(reply(200, { data: logins, page: 1, pages: 1, results: logins.length }))
    return json((await skyctl('audit --code failed-logins --json', { env })).stdout).findings
  }

  test('is found by the address, where the service lists any', async ({ skyctl }) => {
    const logins = [
      ...[login(2, 'failed'), login(1, 'failed'), login(3, 'successful')],
      ...[login(4, 'failed', '192.0.2.7'), login(3, 'successful', '192.0.2.7'), login(5, 'successful', '192.0.2.8')],
      ...[login(6, 'failed', '192.0.2.9'), login(6, 'successful', '192.0.2.9')],
    ]
    const list = 'skyctl profile logins list --filter ip='
    expect(await told(logins, skyctl)).toMatchObject([
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

/** Its logins succeeded and its protocols are those of api.md; the others have their worlds in `cases`. */
const notBuiltIn: readonly string[] = [
  ...['unknown-protocol-open', 'opening-expired', 'balancer-unprotected', 'large-network-open', 'failed-logins'],
  ...['device-trusted-long', 'token-long-lived', 'volume-label-twice', 'ssh-key-label-twice', 'token-label-twice'],
]

describe('the built-in world', () => {
  test('has findings of most codes, worst first', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit --json')
    const found: Finding[] = json(stdout).findings
    const ranks = found.map(({ severity }) => severities.indexOf(severity))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    const missing = checks.map(({ code }) => code).filter((code) => !found.some((one) => one.code === code))
    expect(missing).toEqual([...notBuiltIn])
  })
})

/** Placeholders, and what a reader may put there. */
const replaced = [
  ['NAME', 'a.example.net'],
  ['COMPUTE_ID', '1001'],
  ['COMMAND', 'regions,volumes'],
  ['FIREWALL', 'web'],
] as const

describe('every command that fixes a finding', () => {
  test('is one that the program takes', async ({ skyctl }) => {
    const { stdout } = await skyctl('audit --json')
    const found: Finding[] = json(stdout).findings
    const commands = new Map(found.map(({ code, command, alternatives }) => [code, [command, ...alternatives]]))
    for (const command of [...commands.values()].flat()) {
      // What asks, edits or guides does so on a terminal; nothing is sent without one.
      const line = replaced.reduce((text, [word, value]) => text.replace(word, value), command.replace(/^skyctl /, ''))
      const { exit, stderr } = await skyctl(`${line} ${/rotate|create|add|attach/.test(line) ? '--dry-run' : ''}`)
      expect({ command, exit: [0, 2, 3, 6, 12].includes(exit), stderr }).toEqual({
        command,
        exit: true,
        stderr: expect.not.stringMatching(/unknown|surplus|Did you mean/),
      })
    }
  })

  test('names the account where the line did', async ({ skyctl, home }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_STATE_DIR: home }
    const { stdout } = await skyctl('--context sandbox audit --code two-factor-off --json', { env })
    expect(json(stdout).findings[0].command).toBe('skyctl --context sandbox profile tfa setup')
  })
})

describe('--fail-on', () => {
  test('is refused where it names no severity', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('audit --fail-on bad')
    expect({ exit, stderr, sent: world.requests() }).toEqual({
      exit: 2,
      stderr: 'skyctl: --fail-on: "bad" is not one of critical, high, medium, low\n',
      sent: [],
    })
  })
})

describe('--code', () => {
  test('reads only what is needed, and refuses what is no code', async ({ skyctl, world }) => {
    await skyctl('audit --code volume-unattached')
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/volumes'])
    const { exit, stderr } = await skyctl('audit --code volume-unatached')
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: 'skyctl: --code: unknown code "volume-unatached". Did you mean "volume-unattached"?\n',
    })
  })
})

test('every list is read once, and the services of each firewall', async ({ skyctl, world }) => {
  await skyctl('audit --json')
  const asked = world.requests().map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const devices = world.network.firewalls.all().map(({ id }) => `GET /networking/firewalls/${id}/devices`)
  const rest = [
    'profile',
    'profile/security-questions',
    'profile/apps',
    'profile/logins',
    'profile/sshkeys',
    'profile/devices',
  ]
  const lists = [...rest, 'profile/grants', 'profile/tokens', 'volumes', 'networking/firewalls', 'networking/ips']
  expect(asked.toSorted()).toEqual([...lists.map((path) => `GET /${path}`), ...devices].toSorted())
})

describe('what the token may not read', () => {
  test('is told as not looked at, in JSON and on a screen', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const document = json((await skyctl('audit --json', { env })).stdout)
    expect(document.findings.map(({ code }: Finding) => code)).toContain('volume-unattached')
    expect(document.not_looked_at).toContainEqual({
      part: 'firewalls',
      codes: expect.arrayContaining(['admin-port-open', 'instance-unprotected']),
      error: { code: 'not_allowed', message: 'the token lacks the scope firewall:read_only; it has volumes:read_only' },
    })
    const screen = await skyctl('audit', { env })
    expect(screen.stdout).toContain('NOT CHECKED\n')
    expect(screen.stdout).toContain('  tokens: the token lacks the scope account:read_only')
    expect(screen).toMatchObject({ exit: 0, stderr: '' })
    const most = ['account', 'computes', 'ips', 'volumes'].map((name) => `${name}:read_only`).join(' ')
    const one = await skyctl('audit', { env: { SKYCTL_TOKEN: world.token(most) } })
    expect(one.stdout).toContain('NOT CHECKED\n  firewalls: the token lacks the scope firewall:read_only')
  })

  test('ends with 4 where a promise was asked for that it concerns, only then', async ({ skyctl, world, clean }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const line = 'audit --code volume-unattached,token-never-expires'
    const exits = await Promise.all(
      ['', '--fail-on low', '--fail-on high'].map((flag) => skyctl(`${line} ${flag}`, { env })),
    )
    expect({ exits: exits.map(({ exit }) => exit), clean }).toEqual({ exits: [0, 4, 0] })
  })

  test('ends with 4 and prints nothing where it is all there is', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    expect(await skyctl('audit --code token-never-expires --json', { env })).toMatchObject({ exit: 4, stdout: '' })
  })
})

describe('what fails', () => {
  const page = (data: object[]) => reply(200, { data, page: 1, pages: 1, results: data.length })
  const failing =
    (path: string, script: Script): Script =>
    (socket, heard) =>
      (heard.path.includes(path) ? script : page([]))(socket, heard)

  test('is told as not looked at, and ends with its own code', async ({ skyctl }) => {
    const { env } = await faultServer(failing('/profile/tokens', reply(503, {})))
    const line = 'audit --code token-never-expires,volume-unattached --json'
    const { exit, stdout, stderr } = await skyctl(line, { env })
    const { error } = json(lines(stderr).at(-1) ?? '')
    expect({ exit, unseen: json(stdout).not_looked_at, checked: json(stdout).checked, error }).toMatchObject({
      exit: 8,
      unseen: [
        { part: 'tokens', codes: ['token-never-expires'], error: { code: 'unavailable', message: expect.any(String) } },
      ],
      checked: 1,
      error: {
        code: 'unavailable',
        status: 503,
        request: { method: 'GET', path: expect.stringMatching(/^\/profile\/tokens\?/) },
      },
    })
    expect(error.message).toBe(`tokens could not be checked: ${json(stdout).not_looked_at[0].error.message}`)
  })

  test('is the whole where the token is not known', async ({ skyctl }) => {
    expect(await skyctl('audit --json', { env: { SKYCTL_TOKEN: 'unknown' } })).toMatchObject({ exit: 3, stdout: '' })
  })

  test('is the whole where the token is revoked meanwhile, whatever was read before', async ({ skyctl }) => {
    const { env } = await faultServer(failing('/profile/tokens', reply(401, { errors: [{ reason: 'Invalid Token' }] })))
    expect(await skyctl('audit --code token-never-expires,volume-unattached', { env })).toMatchObject({
      exit: 3,
      stdout: '',
    })
  })

  const time = '2026-01-01T00:00:00'
  const noRules = { inbound: null, inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' }

  /** What is said of an account with one firewall, whose services are asked for in vain. */
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

  test('is nothing where a firewall is deleted meanwhile', async ({ skyctl }) => {
    const { exit, findings, not_looked_at } = await withFirewall(
      noRules,
      reply(404, { errors: [{ reason: 'Not found' }] }),
      skyctl,
    )
    expect({ exit, findings, not_looked_at }).toEqual({ exit: 0, findings: [], not_looked_at: [] })
  })

  test.for<[what: string, rules: object, devices: Script, code: string, exit: number]>([
    ['whose services cannot be read', noRules, reply(503, {}), 'unavailable', 8],
    ['whose rules make no sense', { inbound_policy: 'DROP' }, page([]), 'defect', 1],
  ])('is all of firewalls where there is one %s', async ([, rules, devices, code, wanted], { skyctl }) => {
    const { exit, findings, not_looked_at } = await withFirewall(rules, devices, skyctl)
    expect({ exit, findings, not_looked_at }).toMatchObject({
      exit: wanted,
      findings: [],
      not_looked_at: [{ part: 'firewalls', codes: ['firewall-unused'], error: { code } }],
    })
  })
})

test('an exception holds until its last day, by this machine if answers have no time', async ({ skyctl, file }) => {
  const key = { id: 1, label: 'old', ssh_key: rsa(1024), created: '2026-01-01T00:00:00' }
  const { env } = await faultServer(reply(200, { data: [key], page: 1, pages: 1, results: 1 }))
  const ignored = async (day: string) => {
    const path = file('audit.ignore', `ssh-key-weak:1 exp:${day}  replaced soon`)
    const { stdout } = await skyctl(`audit --code ssh-key-weak --ignore ${path} --json`, { env })
    const { findings, ignored } = json(stdout)
    return { findings: findings.length, ignored: ignored.length }
  }
  expect(await ignored('2026-02-01')).toEqual({ findings: 0, ignored: 1 })
  expect(await ignored('2026-01-01')).toEqual({ findings: 1, ignored: 0 })
})

test('what ends is judged by the clock of the service, not by one that is off', async ({ skyctl, world, clean }) => {
  const { command } = cases['token-expires-soon'].has(world)
  const { stdout } = await skyctl('audit --json', { clock: testClock(manualClock(Date.UTC(2027, 0, 1))) })
  expect({ found: json(stdout).findings, clean }).toMatchObject({ found: [{ code: 'token-expires-soon', command }] })
})

describe('a file of exceptions', () => {
  test('leaves out what it names by id, label, part or code, and says why', async ({ skyctl, world, clean, file }) => {
    const expected = [cases['volume-unattached'].has(world), cases['admin-port-open'].has(world)]
    expect((await skyctl('audit -q')).stdout).toMatch(/^admin-port-open:\d+\/tcp\/22\nvolume-unattached:\d+\n$/)
    for (const object of ['web', 'web/tcp/22', expected[1]?.object.split(' ').slice(1).join('/'), '*']) {
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

  test('is what --quiet prints, with reasons behind', async ({ skyctl, file }) => {
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
  ])('is read line by line: %s', async ([line, wanted], { skyctl, world, clean, file }) => {
    cases['volume-unattached'].has(world)
    const path = file('audit.ignore', `# kept\r\n\r\n${line}\r\n`)
    const { exit } = await skyctl(`audit --ignore ${path} --fail-on low`)
    expect({ exit, clean }).toEqual({ exit: wanted })
  })

  test.for<[label: string, objects: string[], others: string[]]>([
    ['left over', ['"left over"', '"label:left over"'], ['left', 'over']],
    ['2026', ['label:2026'], ['2026']],
    ['7-days', ['7-days', 'label:7-days'], ['7']],
    ['day-7', ['day-7', 'label:day-7'], ['7']],
  ])(
    'names by a label, which needs label: where it could be an id: %s',
    async ([label, objects, others], { skyctl, world, clean, file }) => {
      world.volume({ label })
      for (const object of [...objects, ...others]) {
        const path = file('audit.ignore', `volume-unattached:${object}  kept`)
        const { exit } = await skyctl(`audit --ignore ${path} --fail-on low`)
        expect({ object, exit, clean }).toEqual({ object, exit: objects.includes(object) ? 0 : 13 })
      }
    },
  )

  test('does not except what is wider than what it names', async ({ skyctl, world, clean, file }) => {
    cases['admin-port-open'].has(world)
    for (const object of ['web/tcp/2', 'web/tcp/22-23', 'we', '1']) {
      const path = file('audit.ignore', `admin-port-open:${object}  a bastion\n`)
      const { stdout, stderr } = await skyctl(`audit --ignore ${path}`)
      expect({ stdout, clean }).toEqual({ stdout: expect.stringContaining('tcp/22') })
      expect(stderr).toBe(`skyctl: warning: ${path}:1: admin-port-open:${object} is unused: it matches no finding\n`)
    }
  })

  test('holds until the end of its day, and has expired then', async ({ skyctl, world, clock, clean, file }) => {
    cases['volume-unattached'].has(world)
    const said = async (day: string) => {
      const path = file('audit.ignore', `volume-unattached:left exp:${day}  moves soon`)
      const { findings, unused } = json((await skyctl(`audit --ignore ${path} --json`)).stdout)
      return [findings.length, unused.map(({ why }: { why: string }) => why)]
    }
    const held = [0, []]
    const ended = [1, ['it has expired']]
    expect({ today: await said('2026-01-15'), before: await said('2026-01-14'), clean }).toEqual({
      today: held,
      before: ended,
    })
    clock.advance(12 * 3_600_000)
    expect({ today: await said('2026-01-15'), tomorrow: await said('2026-01-16') }).toEqual({
      today: ended,
      tomorrow: held,
    })
  })

  test('says nothing of what could not be looked at', async ({ skyctl, world, file }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('audit.ignore', 'token-never-expires:1  rotated by hand')
    expect(json((await skyctl(`audit --ignore ${path} --json`, { env })).stdout).unused).toEqual([])
  })

  test('is refused with all its mistakes before anything is asked', async ({ skyctl, world, file }) => {
    const wrong = [
      ...['two-factor-off:profile', 'two-factor-of:profile x', 'web  because', 'rule-budget:web exp:soon  x'],
      'qqqqqqqqqqqq:web  x',
    ]
    const path = file('audit.ignore', wrong.join('\n'))
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
    expect(error.failures.map((one: { error: { code: string } }) => one.error.code)).toEqual(wrong.map(() => 'usage'))
    const single = file('audit.ignore', 'two-factor-off:profile')
    expect((await skyctl(`audit --ignore ${single}`)).stderr).toContain('1 problem; nothing was checked')
  })

  test('may be stdin, and what is not there is told', async ({ skyctl, world, clean }) => {
    cases['volume-unattached'].has(world)
    const { stdout } = await skyctl('audit --ignore - -q', { stdin: 'volume-unattached:left  kept' })
    expect({ stdout, clean }).toEqual({ stdout: '' })
    expect(await skyctl('audit --ignore none')).toMatchObject({ exit: 12, stdout: '' })
  })
})

describe('rows', () => {
  test('are a finding each, with the columns that were asked for', async ({ skyctl, world, clean }) => {
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

  test('of the built-in world shows each severity whole on 24 rows of 80 columns', async ({ skyctl }) => {
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

  test('leaves nothing out where one code was asked for, or it is piped', async ({ skyctl, world }) => {
    for (let count = 0; count < 30; count += 1) world.volume({ label: `left-${count}` })
    const all = await skyctl('audit --code volume-unattached', { columns: 80 })
    expect(all.stdout).toContain('left-29')
    expect((await skyctl('audit')).stdout).toContain('left-29')
  })

  test('of 40 columns is broken between words, but not within commands', async ({ skyctl, world, clean }) => {
    cases['volume-unattached'].has(world)
    const { stdout } = await skyctl('audit', { columns: 40, env: { NO_COLOR: '1' } })
    const long = lines(stdout).filter((line) => line.length > 40 && !/^ {6}(or: )?skyctl /.test(line))
    expect({ long, clean }).toEqual({ long: [] })
  })

  test('tells a severity in words, and text of others cannot move the cursor', async ({ skyctl, world, clean }) => {
    world.volume({ label: 'a\u001b[2J\u202eb' })
    const { stdout } = await skyctl('audit', { columns: 80, env: { FORCE_COLOR: '1' } })
    expect({ stdout, clean }).toEqual({ stdout: expect.stringContaining('LOW (1)') })
    expect(stdout).toContain('a\\x1b[2J\\u202eb')
  })
})

describe('docs/audit.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/audit.md'), 'utf8')

  test('explains each code: its severity, why it matters, how it is decided and how to fix it', () => {
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
