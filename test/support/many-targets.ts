/** Commands with many targets, and the requests that they may send for each: `bench/many.mjs` has the goals. */
import type { World } from '../../src/sandbox/world'

export interface ManyTargets {
  name: string
  line: string
  /** Returns stdin: an account file, bodies, labels or ids. */
  stdin(names: readonly string[], ids: readonly number[]): string
  /** Status of the volumes that are there before; without it there are none. */
  status?: 'active' | 'creating'
  /** True if addresses are there before. */
  hasAddresses?: true
  /** Requests for a target that are the goal. */
  goal: number
  /** Number of volumes afterwards; 100 by default. */
  left?: number
}

const lines = (values: readonly unknown[]) => values.map((value) => `${value}\n`).join('')
const bodies = (names: readonly string[]) =>
  lines(names.map((label) => JSON.stringify({ label, region: 'us-east', size: 20 })))
const labels = (names: readonly string[]) => lines(names)

export const accountFile = (names: readonly string[]) =>
  `defaults: { region: us-east }\nvolumes:\n${lines(names.map((name) => `  ${name}: { size: 20 }`))}`

const addressAt = (index: number) => `198.18.${Math.floor(index / 250)}.${1 + (index % 250)}`
const addresses = (names: readonly string[]) => lines(names.map((_, index) => addressAt(index)))
const namings = (names: readonly string[]) =>
  lines(names.map((name, index) => JSON.stringify({ address: addressAt(index), rdns: `${name}.example.net` })))

export const manyTargets: readonly ManyTargets[] = [
  { name: 'create', line: 'volumes create --body -', stdin: bodies, goal: 1.1 },
  { name: 'create --wait', line: 'volumes create --body - --wait', stdin: bodies, goal: 1.4 },
  {
    name: 'resize --wait, by label',
    line: 'volumes resize - --size 40 --wait',
    stdin: labels,
    status: 'active',
    goal: 1.4,
  },
  { name: 'update, by label', line: 'volumes update - --add-tag many', stdin: labels, status: 'active', goal: 2.1 },
  { name: 'delete, by label', line: 'volumes delete - --yes', stdin: labels, status: 'active', goal: 1.1, left: 0 },
  { name: 'wait, by id', line: 'volumes wait -', stdin: (_, ids) => lines(ids), status: 'creating', goal: 0.2 },
  { name: 'apply of new volumes', line: 'apply - --yes', stdin: accountFile, goal: 1.5 },
  { name: 'ips rdns', line: 'ips rdns --body -', stdin: namings, hasAddresses: true, goal: 1.1, left: 0 },
  { name: 'ips view', line: 'ips view -', stdin: addresses, hasAddresses: true, goal: 0.1, left: 0 },
]

/** Returns the names of so many volumes. */
export const volumeNames = (count: number) => Array.from({ length: count }, (_, index) => `many-${index}`)

/** Makes volumes take one to three seconds until they are active, and creates what is there before; returns their ids. */
export function arrangeTargets(
  world: World,
  names: readonly string[],
  { status, hasAddresses }: Pick<ManyTargets, 'status' | 'hasAddresses'>,
): readonly number[] {
  let next = 0
  const transitionMs = () => {
    next += 1
    return 1000 + 250 * (next % 9)
  }
  Object.defineProperty(world, 'transitionMs', { get: transitionMs })
  if (hasAddresses)
    for (const index of names.keys())
      world.network.addresses.add({ address: addressAt(index), compute_id: 1001, type: 'ipv4', public: true })
  return status ? names.map((label) => world.volumes.add({ label, status }).id) : []
}
