/** A sandbox with an account in it, for properties of export, plan and apply. */
import { expect } from 'vitest'
import { kinds } from '../../src/account-file/kinds'
import { directions, networkTexts } from '../../src/firewall/rules'
import { inLongForm } from './long-form'
import { type Account, fill, isManaged, isManagedRule } from './random-accounts'
import type { Result } from './run'
import type { Fixtures } from './skyctl'
import { openEnvironment } from './test-environment'

export type Stage = Fixtures

/** Calls `use` with a new sandbox that has the account. */
export async function withAccount<T>(account: Account, use: (stage: Stage) => Promise<T>): Promise<T> {
  const place = await openEnvironment({ transitionMs: 0 })
  fill(place.world, account)
  try {
    return await use(place)
  } finally {
    await place.close()
  }
}

/** Exports every kind, including those that are exported only if they are named. */
const exportAll = `export ${kinds.map(({ key }) => key).join(' ')}`

async function readExport({ skyctl }: Pick<Stage, 'skyctl'>) {
  return inLongForm(JSON.parse((await skyctl(`${exportAll} --json`)).stdout))
}

/** Exports an account as JSON, with rules as the API has them. */
export const exportOf = (account: Account) =>
  withAccount(account, async (stage) => JSON.stringify(await readExport(stage)))

/** Exports an account in each format that an export can have, and as `exportOf` does. */
export const exportsOf = (account: Account) =>
  withAccount(account, async (stage) => ({
    long: JSON.stringify(await readExport(stage)),
    json: (await stage.skyctl(`${exportAll} --json`)).stdout,
    yaml: (await stage.skyctl(exportAll)).stdout,
  }))

/**
 * Checks that the account matches the file, that a plan is empty, and that no label exists twice. Ignores unknown
 * statuses.
 */
export async function expectReached(file: string, stage: Stage): Promise<void> {
  const { skyctl, sandbox } = stage
  const now = JSON.parse(JSON.stringify(await readExport(stage)), sortAddresses)
  const desired = JSON.parse(file, sortAddresses)
  for (const { label, status } of sandbox.world.network.firewalls.all())
    if (!isManaged({ status })) delete desired.firewalls?.[label]?.status
  expect(now).toMatchObject(desired)
  const { exit, stdout } = await skyctl('plan - --exit-code', { stdin: file })
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: expect.stringMatching(/^( .* stays unchanged\n)*No changes/),
  })
  const labels = sandbox.world.volumes.all().map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
}

/** The addresses of a rule have no order, so a plan leaves them as they are. */
const sortAddresses = (key: string, value: unknown) =>
  (key === 'ipv4' || key === 'ipv6') && Array.isArray(value) ? value.toSorted() : value

/** Repeats a run until it succeeds, at most twice for each reason: the first time, a lost creation may still be uncertain. */
export async function untilDone(run: () => Promise<Result>, reasons: number): Promise<Result> {
  let last = await run()
  for (let more = 0; last.exit !== 0 && more < 2 * reasons; more += 1) last = await run()
  return last
}

/** Checks that every object of a plan (`plan --json`) is in the account as planned. */
export async function expectAsPlanned(plan: string, stage: Stage): Promise<void> {
  const now = JSON.parse(JSON.stringify(await readExport(stage)), sortAddresses)
  const { objects, unchanged } = JSON.parse(plan, sortAddresses)
  const planned = [...objects, ...unchanged].map(({ kind, name, after }) => ({ kind, name, after }))
  const entryOf = (kind: string, name: string) => (name === '' ? now[kind] : now[kind]?.[name]) ?? null
  expect(planned).toEqual(planned.map(({ kind, name }) => ({ kind, name, after: entryOf(kind, name) })))
  expectPlannedOrder(plan, stage.sandbox.world)
}

/** Checks the order of addresses in rules, which an export does not have: it writes `anywhere` first. */
function expectPlannedOrder(plan: string, { network }: Stage['sandbox']['world']): void {
  const { objects, unchanged } = JSON.parse(plan)
  const rulesByLabel = new Map(network.firewalls.all().map(({ label, rules }) => [label, rules]))
  for (const { kind, name, after } of [...objects, ...unchanged])
    for (const direction of directions) {
      const planned = kind === 'firewalls' ? after?.rules?.[direction] : undefined
      if (planned === undefined) continue
      const own = rulesByLabel.get(name)?.[direction].filter(isManagedRule)
      expect({ name, addresses: planned.map(networkTexts) }).toEqual({ name, addresses: own?.map(networkTexts) })
    }
}
