/** Schedule: the order of the steps of a plan (state.md, For teams: the order of carrying out). */
import { describe, expect, test } from 'vitest'
import { type Job, jobsOf, servicesIn } from '../../src/account-file/order-steps'
import type { PlannedObject } from '../../src/account-file/plan'
import type { PlanStep } from '../../src/account-file/plan-step'

type Ordering = Pick<PlanStep, 'first' | 'frees' | 'takes' | 'body' | 'replaced'>

/** Creates a step whose changes are its name. */
const step = (name: string, more: Ordering = {}): PlanStep => ({
  action: 'update',
  does: 'firewalls update',
  target: [],
  changes: [name],
  ...more,
})

const object = (
  kind: string,
  steps: readonly PlanStep[],
  action: PlannedObject['action'] = 'update',
): PlannedObject => ({
  kind,
  noun: kind,
  name: steps.map(namesOf).join(),
  id: 1,
  before: () => null,
  after: () => null,
  steps,
  action,
})

const firewall = (...steps: PlanStep[]) => object('firewalls', steps)
const volume = (...steps: PlanStep[]) => object('volumes', steps)

const namesOf = ({ changes }: PlanStep) => changes
const scheduled = (...objects: PlannedObject[]) => jobsOf({ objects, unchanged: [], same: 0, notes: [], left: [] })
const namesIn = ({ parts }: Job) => parts.flatMap(({ step }) => namesOf(step))
const handovers = (...objects: PlannedObject[]) => scheduled(...objects).filter(({ isHandover }) => isHandover)

/** Returns the names of the steps that must end before a step begins. */
function stepsBefore(name: string, jobs: readonly Job[]): string[] {
  const job = jobs.find((one) => namesIn(one).includes(name))
  const own = job ? namesIn(job) : []
  return [...(job?.after.flatMap(namesIn) ?? []), ...own.slice(0, own.indexOf(name))]
}

const [one, two, three] = ['compute 1', 'compute 2', 'compute 3'] as const

describe('a plan', () => {
  const plan = [
    firewall(step('rules'), step('release', { frees: [one] }), step('tags')),
    firewall(step('claim', { takes: [one] })),
    firewall(step('status')),
    volume(step('detach', { first: true }), step('grow'), step('attach')),
    volume(step('create')),
    object('volumes', [step('free', { first: true }), step('drop volume')], 'delete'),
    object('firewalls', [step('give', { frees: [two] }), step('drop firewall')], 'delete'),
    firewall(step('get', { takes: [two] })),
  ]

  test('has each step in exactly one job, and no job without a step', () => {
    const jobs = scheduled(...plan)
    expect(jobs.flatMap(namesIn).sort()).toEqual(plan.flatMap(({ steps }) => steps.flatMap(namesOf)).sort())
    expect(jobs.filter(({ parts }) => parts.length === 0)).toEqual([])
  })

  test('moves services in jobs of their own, between the other steps of their firewalls', () => {
    const jobs = scheduled(...plan)
    expect(jobs.flatMap((job) => (job.isHandover ? [namesIn(job)] : []))).toEqual([
      ['release', 'claim'],
      ['give', 'get'],
    ])
    expect(stepsBefore('release', jobs).sort()).toEqual(['rules', 'status'])
    expect(stepsBefore('give', jobs).sort()).toEqual(['claim', 'release', 'rules', 'status'])
    expect(stepsBefore('tags', jobs)).toEqual(expect.arrayContaining(['claim', 'get']))
  })

  test('changes volumes after all services have moved, and first detaches those that make room', () => {
    const jobs = scheduled(...plan)
    expect(stepsBefore('create', jobs).sort()).toEqual(['claim', 'detach', 'free', 'get', 'give', 'release'])
    expect(stepsBefore('grow', jobs)).toEqual(stepsBefore('create', jobs))
    expect(jobs.flatMap((job) => (job.isEarly ? namesIn(job) : [])).sort()).toEqual(
      ['rules', 'release', 'tags', 'claim', 'status', 'give', 'get'].sort(),
    )
  })

  test('continues with the volumes that it has detached before it begins others', () => {
    const detached = volume(step('detach', { first: true }), step('grow'), step('attach'))
    const jobs = scheduled(volume(step('create')), volume(step('tag')), detached)
    expect(jobs.flatMap(namesIn)).toEqual(['detach', 'grow', 'attach', 'create', 'tag'])
  })

  test('begins a volume before others are detached from an instance that it does not need', () => {
    const detach = step('detach', { first: true, replaced: { compute_id: 1 } })
    const attach = (name: string, compute_id: number) => step(name, { body: { compute_id } })
    const jobs = scheduled(
      volume(detach, step('grow'), attach('attach to 2', 2)),
      volume(step('create')),
      volume(step('label'), attach('attach to 1', 1)),
    )
    expect(stepsBefore('create', jobs)).toEqual([])
    expect(stepsBefore('grow', jobs)).toEqual(['detach'])
    expect(stepsBefore('label', jobs)).toEqual(['detach'])
  })

  test('deletes last: firewalls, then volumes', () => {
    const jobs = scheduled(...plan)
    const others = plan.flatMap(({ steps }) => steps.flatMap(namesOf)).filter((name) => !name.startsWith('drop'))
    expect(stepsBefore('drop firewall', jobs).sort()).toEqual(others.sort())
    expect(stepsBefore('drop volume', jobs)).toEqual(expect.arrayContaining([...others, 'drop firewall']))
  })
})

describe('a service', () => {
  test('is not handed over if no step claims it', () => {
    expect(handovers(firewall(step('release', { frees: [one] })), firewall(step('claim', { takes: [two] })))).toEqual(
      [],
    )
  })

  test('is claimed right after its release, each in a job of its own', () => {
    const jobs = handovers(
      firewall(step('free 1', { frees: [one] }), step('free 2', { frees: [two] })),
      firewall(step('take 2', { takes: [two] }), step('take 1', { takes: [one] })),
    )
    expect(jobs.map(namesIn).sort()).toEqual([
      ['free 1', 'take 1'],
      ['free 2', 'take 2'],
    ])
    expect(jobs.map(servicesIn).sort()).toEqual([[one], [two]])
  })

  test('is not released before its new place is free', () => {
    const place = 'balancer of firewall "b"'
    const [job] = handovers(
      firewall(step('free 1', { frees: ['balancer 1'] })),
      firewall(step('free 2', { frees: ['balancer 2', place] }), step('take 1', { takes: ['balancer 1', place] })),
    )
    expect(job && namesIn(job)).toEqual(['free 2', 'free 1', 'take 1'])
    expect(job && servicesIn(job)).toEqual(['balancer 2', 'balancer 1'])
  })

  // Disabling a firewall releases all its services at once, and enabling one claims all at once.
  const disable = firewall(step('disable a', { frees: [one] }))
  const disableBoth = firewall(step('disable b', { frees: [two, three] }))
  const enable = firewall(step('enable c', { takes: [one, two] }))
  const claim = firewall(step('claim 3', { takes: [three] }))

  test('is claimed first if its claim needs the fewest releases, whatever the order of the plan', () => {
    for (const objects of [
      [disable, enable, claim, disableBoth],
      [disable, disableBoth, claim, enable],
      [claim, disableBoth, enable, disable],
    ])
      expect(handovers(...objects).map(namesIn)).toEqual([['disable b', 'claim 3', 'disable a', 'enable c']])
  })

  test('is not released early for a place while another claim needs none, whatever the order of the plan', () => {
    const place = 'balancer of firewall "a"'
    const leave = firewall(step('free 1', { frees: [one, place] }), step('take 3', { takes: [three, place] }))
    const free = firewall(step('free 2', { frees: [two] }))
    for (const objects of [
      [leave, free, enable],
      [enable, leave, free],
    ]) {
      const [job] = handovers(...objects)
      expect(job && namesIn(job).slice(2)).toEqual(['enable c', 'take 3'])
    }
  })
})
