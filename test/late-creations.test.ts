/** Creations whose answer was lost, and lists that are late: what may exist already is not created a second time. */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { interruptedWait } from './support/interrupted-wait'
import { test as base } from './support/skyctl'

/** Time after which an object that no list shows was not created. */
const latest = 2 * 60_000

interface Late {
  /** True if requests for the new volume are forwarded and answered. */
  answers: boolean
  /** Number of lists that still lack the new volume. */
  lacking: number
  /** Requests for the new volume so far. */
  creations: number
}

const isList = (body: unknown): body is { data: { label: string }[] } => isRecord(body) && Array.isArray(body.data)

const test = base.extend<{ late(options: { arrives: boolean }): Promise<Late> }>({
  late: async ({ world, meanwhile }, use) =>
    use(async ({ arrives }) => {
      const late: Late = { answers: false, lacking: Number.POSITIVE_INFINITY, creations: 0 }
      await meanwhile({
        before({ method, body }) {
          if (method !== 'POST' || !body.includes('"new"')) return
          late.creations += 1
          if (late.answers) return
          if (arrives) world.volume({ label: 'new', region: 'us-east', size: 20 })
          return 'drop'
        },
        change(body) {
          if (!isList(body) || late.lacking === 0) return body
          late.lacking -= 1
          const data = body.data.filter(({ label }) => label !== 'new')
          return { ...body, data, results: data.length }
        },
      })
      return late
    }),
})

const size = { region: 'us-east', size: 20 }
const lines: [line: string, stdin?: string][] = [
  ['apply - --yes', JSON.stringify({ volumes: { new: size } })],
  ['volumes create --if-absent --label new --region us-east'],
  ['volumes create --if-absent --body -', JSON.stringify({ label: 'new', ...size })],
]

describe.for(lines)('After a lost answer, %s', ([line, stdin = '']) => {
  test('sends nothing while lists may lack the object', async ({ skyctl, late, world }) => {
    const service = await late({ arrives: true })
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 11 })
    service.answers = true
    const { exit, stderr } = await skyctl(`${line} --wait-timeout 30s`, { stdin })
    expect({ exit, creations: service.creations }, stderr).toEqual({ exit: 11, creations: 1 })
    expect(stderr).toContain('Run it again when this shows the volume, or in 1m')
    service.lacking = 0
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(world.volumes.all().filter(({ label }) => label === 'new')).toHaveLength(1)
  })

  test('waits for a list that shows the object', async ({ skyctl, late }) => {
    const service = await late({ arrives: true })
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 11 })
    Object.assign(service, { answers: true, lacking: 6 })
    const { exit, stderr } = await skyctl(line, { stdin })
    expect({ exit, creations: service.creations }, stderr).toEqual({ exit: 0, creations: 1 })
    expect(stderr).toContain('already exists and matches')
  })

  test('waits until lists would show the object, and creates it', async ({ skyctl, late, clock, world }) => {
    const service = await late({ arrives: false })
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 11 })
    service.answers = true
    const begun = clock.now()
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(clock.now() - begun).toBeLessThan(latest + 10_000)
    expect(world.volumes.all().filter(({ label }) => label === 'new')).toHaveLength(1)
  })
})

const twice = [
  { label: 'new', ...size },
  { label: 'new', ...size },
]
  .map((body) => JSON.stringify(body))
  .join('\n')

test('The second line of a body does not create what lists do not show yet', async ({ skyctl, late }) => {
  const service = await late({ arrives: true })
  service.answers = true
  const { exit, stderr } = await skyctl('volumes create --if-absent --body -', { stdin: twice })
  expect({ exit, creations: service.creations }, stderr).toEqual({ exit: 0, creations: 1 })
})

test('The second line of a body does not repeat the first, whose answer was lost', async ({ skyctl, late }) => {
  const service = await late({ arrives: true })
  const { exit, stderr } = await skyctl('volumes create --if-absent --body - --wait-timeout 30s', { stdin: twice })
  expect({ exit, creations: service.creations }, stderr).toEqual({ exit: 9, creations: 1 })
})

test('Of two runs at the same time, one creates what lists do not show yet', async ({ skyctl, late }) => {
  const service = await late({ arrives: true })
  service.answers = true
  const run = () => skyctl('volumes create --if-absent --label new --region us-east')
  expect(await Promise.all([run(), run()])).toMatchObject([{ exit: 0 }, { exit: 0 }])
  expect(service.creations).toBe(1)
})

test('What another user may have created does not count', async ({ skyctl, late, world }) => {
  const service = await late({ arrives: false })
  const line = 'volumes create --if-absent --label new --region us-east'
  // From then on, the history knows the user.
  expect(await skyctl('volumes create --label other --region us-east')).toMatchObject({ exit: 0 })
  expect(await skyctl(line)).toMatchObject({ exit: 11 })
  service.answers = true
  // The service does not allow this user to create volumes.
  expect(await skyctl(line, { env: { SKYCTL_TOKEN: world.token('*', 2) } })).toMatchObject({ exit: 4 })
  expect(service.creations).toBe(2)
})

test('A volume that was found and deleted after a lost answer is created again', async ({ skyctl, late }) => {
  const service = await late({ arrives: true })
  const line = 'volumes create --if-absent --label new --region us-east'
  expect(await skyctl(line)).toMatchObject({ exit: 11 })
  Object.assign(service, { answers: true, lacking: 0 })
  expect(await skyctl('volumes delete new --yes')).toMatchObject({ exit: 0 })
  expect(await skyctl(line)).toMatchObject({ exit: 0 })
  expect(service.creations).toBe(2)
})

test('Other creations do not wait for one whose outcome is unknown', async ({ skyctl, late, world }) => {
  const service = await late({ arrives: true })
  const labels = ['new', ...Array.from({ length: 19 }, (_, index) => `other-${index}`)]
  const line = 'volumes create --if-absent --body - --concurrency 1 --wait-timeout 30s'
  expect(await skyctl('volumes create --if-absent --label new --region us-east')).toMatchObject({ exit: 11 })
  service.answers = true
  const stdin = labels.map((label) => JSON.stringify({ label, ...size })).join('\n')
  const { exit, stderr } = await skyctl(line, { stdin })
  expect({ exit, sent: world.requests('POST').length }, stderr).toEqual({ exit: 9, sent: 19 })
})

test('Ctrl-C ends the wait, and nothing is sent', async ({ skyctl, late, clock }) => {
  const service = await late({ arrives: true })
  const line = 'volumes create --if-absent --label new --region us-east'
  expect(await skyctl(line)).toMatchObject({ exit: 11 })
  service.answers = true
  const { exit, stderr } = await skyctl(line, {
    ...interruptedWait(clock, (milliseconds) => milliseconds > 400),
  })
  expect({ exit, creations: service.creations }, stderr).toEqual({ exit: 130, creations: 1 })
})
