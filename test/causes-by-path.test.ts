/**
 * A situation has the same error code and exit code on every path: the command that checks it, the API without checks
 * (`--no-validate`), a plan, and the apply of a plan that was saved before.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { rule, ruleSet, ssh } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

type Path = 'command' | 'service' | 'plan' | 'apply'
/** `ok` is for a plan that cannot detect the situation. */
type Outcome = ErrorCode | 'ok'

interface Situation {
  code: ErrorCode
  /** Creates the situation after a valid plan. */
  happens?(fixtures: Fixtures): unknown
  command: string
  file?: object
  /** Paths with another outcome. */
  exceptions?: Partial<Record<Path, Outcome>>
  /** Token scopes, for a situation that a plan does not detect. */
  scopes?: string
}

const drop = ruleSet()
const undetectedByPlan = { plan: 'ok' } as const
/** A saved plan whose object was changed or deleted since is outdated, whatever a new plan would find. */
const changedSinceSaved = { apply: 'changed' } as const
/** Errors that skyctl finds itself are usage errors (exit 2); the API refuses them with exit 6. */
const refusedByApi = { service: 'refused' } as const

const attach = { command: 'volumes attach free --compute-id 9003', file: { volumes: { free: { compute_id: 9003 } } } }
const create = {
  command: 'volumes create --label new --region us-lax',
  file: { volumes: { new: { region: 'us-lax' } } },
}
const protect = {
  command: 'firewalls devices add edge --compute-id 9003',
  file: { firewalls: { edge: { devices: { computes: [9003] } } } },
}
const protectNew = {
  command: 'firewalls create --label new --inbound-policy drop --outbound-policy accept --compute-id 9003',
  file: { firewalls: { new: { rules: drop, devices: { computes: [9003] } } } },
}
const resize = (size: number) => ({
  command: `volumes resize free --size ${size}`,
  file: { volumes: { free: { size } } },
})
const rdns = (name: string) => ({
  command: `ips rdns 203.0.113.200 ${name}`,
  file: { rdns: { '203.0.113.200': name } },
})

const change = (table: 'computes' | 'volumes', id: number, changes: object) => {
  return ({ world }: Fixtures) => world[table].put({ ...world[table].get(id), ...changes } as never)
}
const removeAddress = (address: string) => {
  return ({ world: { network } }: Fixtures) => network.addresses.delete(network.findAddress(address)?.id ?? 0)
}
const removeInstance = (fixtures: Fixtures) => {
  fixtures.world.computes.delete(9003)
  removeAddress('203.0.113.203')(fixtures)
}
const move = ({ world: { computes, network } }: Fixtures) => {
  computes.put({ ...computes.get(9003), region: 'eu-west' } as never)
  network.addresses.put({ ...network.findAddress('203.0.113.203'), region: 'eu-west' } as never)
}
const closeRegion = ({ world }: Fixtures) => {
  Object.assign(world, { regions: world.regions.filter(({ id }) => id !== 'us-lax') })
}
const closeAndForget = (fixtures: Fixtures) => {
  closeRegion(fixtures)
  rmSync(join(fixtures.home, 'cache'), { recursive: true })
}

const situations: Record<string, Situation> = {
  'an instance that does not exist, for a volume': { code: 'not_found', happens: removeInstance, ...attach },
  'an instance that does not exist, for a firewall': { code: 'not_found', happens: removeInstance, ...protect },
  'an instance that does not exist, for a new firewall': { code: 'not_found', happens: removeInstance, ...protectNew },
  'an instance that does not exist, if the token may not read addresses': {
    code: 'not_found',
    happens: removeInstance,
    ...attach,
    scopes: 'volumes:read_write computes:read_write',
    exceptions: undetectedByPlan,
  },
  'a balancer that does not exist': {
    code: 'not_found',
    happens: ({ world }) => world.balancers.delete(9501),
    command: 'firewalls devices add edge --balancer-id 9501',
    file: { firewalls: { edge: { devices: { balancers: [9501] } } } },
    exceptions: undetectedByPlan,
  },
  'a region that does not exist': { code: 'not_found', happens: closeAndForget, ...create },
  'a region that was deleted after its lookup': {
    code: 'not_found',
    happens: closeRegion,
    ...create,
    exceptions: undetectedByPlan,
  },
  'a region that does not exist, for addresses': {
    code: 'not_found',
    command: 'ips assign 203.0.113.200=9003 --region nowhere',
  },
  'an address that does not exist': {
    code: 'not_found',
    happens: removeAddress('203.0.113.200'),
    ...rdns('www.example.net'),
    exceptions: changedSinceSaved,
  },
  'an address that does not exist, to share': {
    code: 'not_found',
    command: 'ips share 203.0.113.250 --compute-id 9003',
  },
  'a volume that is attached elsewhere': {
    code: 'conflict',
    happens: change('volumes', 7001, { compute_id: 9001 }),
    command: attach.command,
  },
  'an instance in another region': { code: 'conflict', happens: move, ...attach },
  'an instance in another region, for a new volume': {
    code: 'conflict',
    happens: move,
    command: 'volumes create --label new --region us-east --compute-id 9003',
    file: { volumes: { new: { region: 'us-east', compute_id: 9003 } } },
  },
  'a smaller size': {
    code: 'conflict',
    happens: change('volumes', 7001, { size: 80 }),
    ...resize(60),
    exceptions: changedSinceSaved,
  },
  'a volume that is migrating': {
    code: 'conflict',
    happens: change('volumes', 7001, { status: 'migrating' }),
    ...resize(60),
    exceptions: undetectedByPlan,
  },
  'an instance that is migrating': {
    code: 'conflict',
    happens: change('computes', 9003, { live_migration: true }),
    ...protect,
    exceptions: undetectedByPlan,
  },
  'a service that another firewall protects': {
    code: 'conflict',
    happens: ({ world }) => world.network.device(9200, 'compute', 9003),
    ...protect,
  },
  'a service that another firewall protects, for a new firewall': {
    code: 'conflict',
    happens: ({ world }) => world.network.device(9200, 'compute', 9003),
    ...protectNew,
  },
  'a firewall that cannot be enabled beside another one': {
    code: 'conflict',
    happens: ({ world }) => world.network.device(9200, 'compute', 9004),
    command: 'firewalls update idle --status enabled',
    file: { firewalls: { idle: { status: 'enabled' } } },
  },
  'a label that a firewall has': {
    code: 'exists',
    happens: ({ world }) => world.network.firewall({ label: 'new' }),
    ...protectNew,
    // The plan matches objects by label, so it uses the existing one.
    exceptions: { plan: 'ok', apply: 'changed' },
  },
  'a label that two volumes have': {
    code: 'refused',
    happens: ({ world }) => world.volume({ label: 'free' }),
    ...resize(60),
  },
  'more volumes than fit an instance': {
    code: 'refused',
    happens: change('computes', 9003, { memory: 0 }),
    ...attach,
    exceptions: undetectedByPlan,
  },
  'an instance without a config': {
    code: 'refused',
    happens: change('computes', 9003, { configs: [], last_booted_config: null }),
    ...attach,
    exceptions: undetectedByPlan,
  },
  'more rules than a firewall may have, including the current ones': {
    code: 'refused',
    happens: ({ world: { network } }) => {
      const rules = ruleSet(...Array.from({ length: 25 }, (_, index) => rule(`rule-${index}`, `${8000 + index}`)))
      network.firewalls.put({ ...network.firewalls.get(9100), rules } as never)
    },
    command: 'firewalls rules add edge outbound --action accept --protocol icmp --to 0.0.0.0/0',
    file: { firewalls: { edge: { rules: { outbound: [ssh] } } } },
    exceptions: changedSinceSaved,
  },
  'a size above the limit of the API': { code: 'refused', ...resize(99_999), exceptions: undetectedByPlan },
  'a name without forward DNS': { code: 'refused', ...rdns('www.example.invalid'), exceptions: undetectedByPlan },
  'a time zone that does not exist': {
    code: 'refused',
    command: 'profile update --timezone Nowhere/Here',
    file: { profile: { timezone: 'Nowhere/Here' } },
  },
  'an SSH key of a type that the API rejects': {
    code: 'refused',
    command: 'profile sshkeys add --label new --ssh-key "ssh-xyz AAAA"',
    file: { sshkeys: { new: { ssh_key: 'ssh-xyz AAAA' } } },
  },
  'a text that is not an SSH key': {
    code: 'usage',
    command: 'profile sshkeys add --label new --ssh-key nothing',
    file: { sshkeys: { new: { ssh_key: 'nothing' } } },
    exceptions: refusedByApi,
  },
  'an invalid size': { code: 'usage', ...resize(0), exceptions: refusedByApi },
  'a name that is not a domain name': { code: 'usage', ...rdns('localhost'), exceptions: refusedByApi },
}

/**
 * Creates compute instances 9001, 9003 and 9004 in us-east, volume "free" (7001), and firewalls: "edge" (9100) without
 * services, "gate" (9200), and "idle", which is disabled and has instance 9004.
 */
function arrange({ world }: Fixtures): void {
  for (const id of [9001, 9003, 9004]) world.compute({ id, region: 'us-east' })
  world.balancers.add({ id: 9501, label: 'lb', region: 'us-east' })
  world.volume({ id: 7001, label: 'free', region: 'us-east', size: 40 })
  world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh) as never })
  world.network.firewall({ id: 9200, label: 'gate' })
  world.network.firewall({ id: 9300, label: 'idle', status: 'disabled' })
  world.network.device(9300, 'compute', 9004)
  world.network.address({ address: '203.0.113.200', compute_id: 9001 })
  world.network.address({ address: '203.0.113.203', compute_id: 9003 })
  world.network.address({ address: '203.0.113.204', compute_id: 9004 })
}

test.for(Object.entries(situations))(
  '%s',
  async ([, { code, happens, command, file, exceptions, scopes }], { skyctl, sandbox, world, env, home, clock }) => {
    const fixtures: Fixtures = { skyctl, sandbox, world, env, home, clock }
    arrange(fixtures)
    const tokenEnv = scopes === undefined ? {} : { SKYCTL_TOKEN: world.token(scopes) }
    const stdin = JSON.stringify(file)
    const run = (line: string) => skyctl(`${line} --json --retries 0`, { stdin, env: tokenEnv })
    const saved = join(home, 'saved.json')
    // Situations from the start have no plan to save: their file is applied.
    const plan = happens && file && (await run(`plan - --out ${saved}`))
    if (plan) expect(plan).toMatchObject({ exit: 0 })
    await happens?.(fixtures)
    const lines = {
      command: `${command} --yes`,
      service: `${command} --no-validate --yes`,
      ...(file && { plan: 'plan -', apply: `apply ${plan ? saved : '-'} --yes` }),
    }
    for (const [path, line] of Object.entries(lines) as [Path, string][]) {
      const { exit, stderr } = await run(line)
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) || '{}')
      const expected = exceptions?.[path] ?? code
      expect({ path, exit, code: error?.code ?? 'ok' }).toEqual({
        path,
        exit: expected === 'ok' ? 0 : exitCodes[expected],
        code: expected,
      })
    }
  },
)
