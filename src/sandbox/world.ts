import { formatTimestamp } from '../rules/times'
import type { Clock } from './clock'
import { Network } from './network'
import { ProfileTables } from './profile/records'
import type { BalancerRecord, ComputeRecord, TokenRecord, UserRecord, VolumeRecord } from './records'
import { sandboxToken } from './secrets'
import { type AvailabilityRow, availability, type Region, regions } from './seed/regions'
import { type Table, Tables } from './tables'

/** A request as it arrived, for assertions such as "nothing was sent". */
export interface ReceivedRequest {
  method: string
  /** Relative to the base URL, with its query: `/volumes?page=2`. */
  path: string
  /** Parsed where it is JSON, else its text; undefined where there is none. */
  body: unknown
}

/** How many requests are remembered. */
const remembered = 1000

/** Everything the service knows. Handlers read and change it; tests arrange it and look. */
export class World {
  readonly clock: Clock
  /** How long creating, cloning and resizing take, in milliseconds. */
  transitionMs: number
  readonly tables = new Tables()
  /** By id ascending; they never change. */
  readonly regions: readonly Region[] = regions
  readonly availability: readonly AvailabilityRow[] = availability
  readonly users: Table<UserRecord>
  readonly tokens: Table<TokenRecord>
  readonly computes: Table<ComputeRecord>
  readonly balancers: Table<BalancerRecord>
  readonly volumes: Table<VolumeRecord>
  readonly profile = new ProfileTables(this.tables)
  readonly network = new Network(this.tables, () => this.timestamp())
  readonly #received: ReceivedRequest[] = []

  constructor(clock: Clock, transitionMs: number) {
    this.clock = clock
    this.transitionMs = transitionMs
    this.users = this.tables.add('users')
    this.tokens = this.tables.add('tokens')
    this.computes = this.tables.add('computes')
    this.balancers = this.tables.add('balancers')
    this.volumes = this.tables.add('volumes', (volume) => settled(volume, clock))
  }

  /** The present as the service writes it. */
  timestamp(): string {
    return formatTimestamp(this.clock.now())
  }

  /** When a transition that begins now will have ended. */
  transitionEnd(): number {
    return this.clock.now() + this.transitionMs
  }

  /** Adds a volume; one that is not `active` becomes so when a transition's time has passed. */
  volume(wanted: Partial<VolumeRecord> = {}): VolumeRecord {
    const id = wanted.id ?? this.volumes.nextId()
    const status = wanted.status ?? 'active'
    return this.volumes.put({
      id,
      label: `volume-${id}`,
      status,
      size: 20,
      region: 'us-east',
      hardware_type: 'nvme',
      tags: [],
      created: this.timestamp(),
      updated: this.timestamp(),
      compute_id: null,
      config_id: null,
      ready_at: status === 'active' ? null : this.transitionEnd(),
      ...wanted,
    })
  }

  /** Adds a running compute instance with one configuration. */
  compute(wanted: Partial<ComputeRecord> = {}): ComputeRecord {
    const id = wanted.id ?? this.computes.nextId()
    const configs = wanted.configs ?? [{ id: id * 10 + 1, label: 'default' }]
    return this.computes.put({
      id,
      label: `compute-${id}`,
      region: 'us-east',
      status: 'running',
      memory: 4,
      live_migration: false,
      configs,
      last_booted_config: configs[0]?.id ?? null,
      ...wanted,
    })
  }

  /** Adds a token with these scopes, of the owner unless a user is named, and returns its text. */
  token(scopes: string, user = 1): string {
    const id = this.tokens.nextId()
    const token = sandboxToken(`token ${id}`)
    this.tokens.put({
      id,
      label: `token-${id}`,
      token,
      user,
      app: null,
      scopes,
      created: this.timestamp(),
      expiry: null,
    })
    return token
  }

  /** The requests that arrived, oldest first; of one method where it is given. */
  requests(method?: string): ReceivedRequest[] {
    return this.#received.filter((request) => method === undefined || request.method === method)
  }

  remember(method: string, path: string, body: Uint8Array): void {
    this.#received.push({ method, path, body: parsed(new TextDecoder().decode(body)) })
    if (this.#received.length > remembered) this.#received.shift()
  }
}

function settled(volume: VolumeRecord, clock: Clock): VolumeRecord {
  if (volume.ready_at === null || volume.ready_at > clock.now()) return volume
  return { ...volume, status: 'active', ready_at: null }
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
