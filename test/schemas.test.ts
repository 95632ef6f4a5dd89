/** The output of every command matches its published schema, by an independent validator. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020'
import { describe, expect, test as plain } from 'vitest'
import { program } from '../src/commands/index'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { faultServer, reply } from './support/fault-server'
import { missingPath, unreachableUrl } from './support/nonexistent'
import { commands, samples, testedElsewhere } from './support/samples'
import { test } from './support/skyctl'

const folder = join(import.meta.dirname, '../docs/schemas')
const files = new Map(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))] as const),
)

// A rule's protocol may be a text or a number.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
for (const [name, schema] of files) ajv.addSchema(schema, name)

/** Returns the errors of a value by a reference such as `docs/schemas/volumes.json#/$defs/list`. */
function faults(reference: string, value: unknown): unknown {
  const validate = ajv.getSchema(reference.replace('docs/schemas/', ''))
  if (!validate) return `no schema at ${reference}`
  return validate(value) ? undefined : validate.errors
}

const shared = (name: string) => `records.json#/$defs/${name}`
const line = 'stderr.json#/$defs/Line'

const nodes = withDescendants(await loadTree(program)).filter(({ command }) => command !== undefined)

/** Returns the schemas that `help --json` names. */
async function schemasOf(path: string, run: (line: string) => Promise<{ stdout: string }>) {
  const { stdout } = await run(`${path} --help --json`)
  const { schema, dry_run }: Record<'schema' | 'dry_run', string> = JSON.parse(stdout).command.output
  return { schema, dry_run }
}

type Path = readonly (string | number)[]

/** Returns the path of each value in a document. */
function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

/** Replaces the value at a path; undefined removes it. */
function withOther(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other
  const copy = (Array.isArray(value) ? [...value] : { ...Object(value) }) as Record<string | number, unknown>
  const inner = withOther(copy[key], rest, other)
  if (inner === undefined) delete copy[key]
  else copy[key] = inner
  return copy
}

/** Commands whose output is not restricted: the user's own data, and answers to any request. */
const unrestricted = new Set([
  'api',
  'history undo',
  'profile preferences view',
  'profile preferences set',
  'profile preferences edit',
])

describe.for(commands.filter(({ command }) => !command.hidden))('$path', ({ path }) => {
  const sample = samples[path]

  test('prints what its schema allows', async ({ skyctl, sandbox, world, env, home, clock }) => {
    await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken)
    const { exit, stdout } = await skyctl(`${path} ${sample?.line} --json`, { stdin })
    expect(exit).toBe(0)
    const document = JSON.parse(stdout)
    const { schema: reference } = await schemasOf(path, skyctl)
    expect(faults(reference, document)).toBeUndefined()
    if (unrestricted.has(path)) return
    // A number must not match the schema of the whole.
    expect(faults(reference, 12)).toBeDefined()
    // A field with a simple value must not match with another type.
    const record = Array.isArray(document) ? document[0] : document
    const wrong = Object.keys(record ?? {}).filter((key) => {
      const changed = { ...record, [key]: { not: 'this' } }
      const isSimple = typeof record[key] !== 'object' || record[key] === null
      return isSimple && faults(reference, Array.isArray(document) ? [changed] : changed) === undefined
    })
    expect(wrong).toEqual([])
  })
})

test('skyctl firewalls rules list prints with --hash what its schema allows', async ({ skyctl, world }) => {
  world.network.firewall({ label: 'sample' })
  const { stdout } = await skyctl('firewalls rules list sample --hash --json')
  const { schema } = await schemasOf('firewalls rules list', skyctl)
  expect(faults(schema, JSON.parse(stdout))).toBeUndefined()
})

const dryRunnable = commands.filter(
  ({ path, command }) => path !== 'api' && command.flags.some(({ name }) => name === 'dry-run'),
)

test.for(dryRunnable)(
  'skyctl $path prints with --dry-run what its dry-run schema allows',
  async ({ path }, { skyctl, sandbox, world, env, home, clock }) => {
    const sample = samples[path]
    await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    const { exit, stdout } = await skyctl(`${path} ${sample?.line} --dry-run --json`, { stdin: sample?.stdin })
    expect(exit).toBe(0)
    const { dry_run } = await schemasOf(path, skyctl)
    expect(dry_run).toMatch(path === 'apply' ? /plan\.json#/ : /PlannedRequests$/)
    expect(faults(dry_run, JSON.parse(stdout))).toBeUndefined()
    expect([JSON.parse(stdout)].flat().length).toBeGreaterThan(0)
  },
)

describe('the schema of', () => {
  plain.for(nodes.map(({ words }) => words.join(' ')))('%s exists', (path) => {
    const [group = '', ...rest] = path.split(' ')
    const reference = `${group}.json#/$defs/${rest.join('-') || group}`
    expect(faults(reference, Symbol('no JSON'))).not.toBe(`no schema at ${reference}`)
  })

  plain.for([...files])('%s has only keywords of JSON Schema', ([, schema]) => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(JSON.stringify(schema)).not.toMatch(/"x-/)
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false')
  })

  plain('interactive commands exists, too', () => {
    expect([...testedElsewhere].map((path) => path.split(' ')[0])).toEqual(['sandbox', 'profile', 'profile'])
    expect(faults('profile.json#/$defs/tfa-setup', { scratch: '123' })).toBeUndefined()
    expect(faults('profile.json#/$defs/phone-setup', {})).toBeUndefined()
    expect(faults('sandbox.json#/$defs/start', { base_url: 'http://127.0.0.1:8080/v4', token: 'x' })).toBeUndefined()
    expect(faults('sandbox.json#/$defs/start', { base_url: 'http://127.0.0.1:8080/v4' })).toBeDefined()
  })
})

describe('several targets', () => {
  test.for([
    ['volumes view 3001 3002', 0],
    ['volumes detach 3001 3002 --yes', 0],
    ['volumes delete 3004 9999 nobody --yes', 9],
    ['volumes delete nobody nowhere --yes --if-present', 0],
    ['regions view us-east eu-west', 0],
    ['firewalls disable 4001 4002 --yes', 0],
    ['profile sshkeys delete laptop nobody --yes', 9],
    ['ipv6 ranges delete 2001:db8:114:100:: 2001:db8:ffff:: --yes', 9],
    ['volumes wait 3001 3002 --for active', 0],
  ] as const)('print what the schema allows: %s', async ([commandLine, exit], { skyctl }) => {
    const result = await skyctl(`${commandLine} --json`)
    expect(result.exit).toBe(exit)
    const path = commandLine.split(/ (?=\d|nobody|us-|laptop|2001)/)[0] ?? ''
    expect(faults((await schemasOf(path, skyctl)).schema, JSON.parse(result.stdout))).toBeUndefined()
    for (const one of result.stderr.split('\n').slice(0, -1)) expect(faults(line, JSON.parse(one))).toBeUndefined()
  })

  test('need an "ok" in each record', () => {
    expect(faults('volumes.json#/$defs/delete', [{ id: 1, label: 'data', ok: true }])).toBeUndefined()
    expect(faults('volumes.json#/$defs/delete', [{ id: 1, label: 'data' }])).toBeDefined()
    expect(faults('volumes.json#/$defs/delete', [{ id: 1, label: 'data', ok: false, error: {} }])).toBeDefined()
  })
})

describe('the schema of a record', () => {
  test('allows additional fields, and null only for nullable ones', async ({ skyctl }) => {
    const { stdout } = await skyctl('volumes view 3002 --json')
    const volume = JSON.parse(stdout)
    expect(faults(shared('Volume'), { ...volume, encryption: 'enabled' })).toBeUndefined()
    expect(faults(shared('Volume'), { ...volume, compute_id: null })).toBeUndefined()
    expect(faults(shared('Volume'), { ...volume, status: 'migrating' })).toBeUndefined()
    for (const place of placesIn(volume)) {
      const nullable = ['compute_id', 'compute_label'].includes(String(place[0]))
      if (place.length === 1)
        expect(faults(shared('Volume'), withOther(volume, place, undefined)), String(place)).toBeDefined()
      if (place.length > 0 && !nullable) {
        expect(faults(shared('Volume'), withOther(volume, place, null)), String(place)).toBeDefined()
      }
    }
  })
})

describe('the schema of a document for account files', () => {
  const accountFile = `owner: team
volumes:
  data-1: { size: 60 }
  renamed: { was: data-2 }
  fresh: { region: us-east }
firewalls:
  web: { rules: { inbound_policy: drop, inbound: [{ action: accept, protocol: tcp, ports: 22, addresses: 0.0.0.0/0 }] } }
sshkeys:
  laptop: { ssh_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE7x6Pz0sOvqsDvrPKSsvVZWZ0lOGJN9FZHkD5kMcSxE work" }
rdns: { 192.0.2.11: null }
tokens:
  ci: { scopes: [volumes:read_only] }
profile: { timezone: Europe/Berlin }
`

  /** Returns the simple fields of a document, its lists' items and their parts that may have any value. */
  const unchecked = (reference: string, document: unknown) =>
    [...placesIn(document)].filter((place) => {
      const inner = place.reduce<unknown>((whole, key) => Object(whole)[key], document)
      const isSimple = typeof inner !== 'object' && place.length > 0
      return isSimple && !isFree(place) && !faults(reference, withOther(document, place, { not: 'this' }))
    })

  /** Parts that the schema of account files describes, and values of any type. */
  const isFree = (place: Path) =>
    place.some((key) => ['before', 'after', 'account', 'files', 'body', 'wanted', 'options'].includes(String(key))) ||
    (place[0] === 'found' && place[2] === 'steps')

  test.for([
    ['', 'saved'],
    ['--prune', 'saved'],
    ['--only volumes --adopt', 'saved'],
  ] as const)('fits a saved plan: plan %s', async ([flags, name], { skyctl, world, home }) => {
    world.volume({ label: 'surplus', tags: ['team'] })
    const [path, out] = [join(home, 'account.yaml'), join(home, 'plan.json')]
    writeFileSync(path, accountFile)
    expect(await skyctl(`plan ${path} ${flags} --out ${out}`)).toMatchObject({ exit: 0 })
    const saved = JSON.parse(readFileSync(out, 'utf8'))
    expect(faults(`plan.json#/$defs/${name}`, saved)).toBeUndefined()
    expect(faults('plan.json#/$defs/plan', saved)).toBeDefined()
    expect(unchecked(`plan.json#/$defs/${name}`, saved)).toEqual([])
    for (const key of Object.keys(saved).filter((one) => one !== 'only'))
      expect(faults(`plan.json#/$defs/${name}`, { ...saved, [key]: undefined }), key).toBeDefined()
  })

  test('fits a report of differences', async ({ skyctl, world, home }) => {
    world.volume({ label: 'surplus', tags: ['team'] })
    const path = join(home, 'account.yaml')
    writeFileSync(path, accountFile)
    expect(await skyctl('volumes update data-2 --tag other')).toMatchObject({ exit: 0 })
    const { stdout } = await skyctl(`plan ${path} --drift --json`)
    const report = JSON.parse(stdout)
    expect(new Set(report.objects.map(({ state }: { state: string }) => state))).toEqual(
      new Set(['differs', 'missing', 'extra']),
    )
    expect(faults('plan.json#/$defs/drift', report)).toBeUndefined()
    expect(unchecked('plan.json#/$defs/drift', report)).toEqual([])
    for (const key of Object.keys(report))
      expect(faults('plan.json#/$defs/drift', { ...report, [key]: undefined }), key).toBeDefined()
  })
})

describe('a line of stderr', () => {
  test.for([
    ['volumes view 99999', {}],
    ['volumes view nobody', {}],
    ['volumes create --label a', {}],
    ['volumes list --filter size=x', {}],
    ['volumes list --json -o xml', {}],
    ['volumes list', { SKYCTL_TOKEN: 'unknown' }],
    ['volumes list', { SKYCTL_TOKEN: undefined }],
    ['volumes list', { SKYCTL_CONTEXT: 'nobody', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }],
    ['volumes list --retries 1 -v --debug', { SKYCTL_BASE_URL: `${unreachableUrl}/v4` }],
    ['volumes view 1 2 3', {}],
    [`firewalls rules update 4001 --file ${missingPath}`, {}],
  ] as const)('matches its schema: %s', async ([commandLine, env], { skyctl }) => {
    const { exit, stderr } = await skyctl(`${commandLine} --json`, { env })
    expect(exit).not.toBe(0)
    const lines = stderr.trimEnd().split('\n')
    for (const one of lines) expect(faults(line, JSON.parse(one)), one).toBeUndefined()
    const { error } = JSON.parse(lines.at(-1) ?? '')
    for (const key of Object.keys(error)) {
      if (key === 'failures' || key === 'created') continue
      const { [key]: _value, ...rest } = error
      expect(faults('stderr.json#/$defs/Error', { error: rest }), key).toBeDefined()
      expect(faults('stderr.json#/$defs/Error', { error: { ...error, [key]: { not: 'this' } } }), key).toBeDefined()
    }
  })

  test('names the created object if the wait fails', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(
      'volumes create --label late --region us-east --wait --wait-timeout 0s --json',
    )
    expect(exit).toBe(10)
    const error = JSON.parse(stderr)
    expect(error).toMatchObject({ error: { created: { kind: 'volume', label: 'late' } } })
    expect(faults('stderr.json#/$defs/Error', error)).toBeUndefined()
  })

  test('matches its schema for unknown error texts', async ({ skyctl }) => {
    const { env } = await faultServer(reply(400, { errors: [{ field: 'label', reason: 'No' }, { reason: 'Nor so' }] }))
    const { stderr } = await skyctl('volumes list --json', { env })
    expect(faults(line, JSON.parse(stderr))).toBeUndefined()
  })
})
