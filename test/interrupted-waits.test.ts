/** Interruptions of changes while something follows that does not undo them: a wait, or another look. */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { interruptedWait } from './support/interrupted-wait'
import { test } from './support/skyctl'

test('An interruption of many waits counts what was created, and nothing else', async ({ skyctl, world, clock }) => {
  const labels = Array.from({ length: 30 }, (_, index) => `new-${index}`)
  const createdCount = () => world.volumes.all().filter(({ label }) => labels.includes(label)).length
  const { exit, stderr } = await skyctl('volumes create --body - --wait --concurrency 2', {
    stdin: labels.map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n'),
    ...interruptedWait(clock, () => createdCount() > 0),
  })
  expect({ exit, isWhole: createdCount() < labels.length }, stderr).toEqual({ exit: 130, isWhole: true })
  expect(stderr).toContain(`: ${createdCount()} of ${labels.length} created`)
})

describe('An interruption after the answer to a change prints the object', () => {
  const bodies = '{"label":"new","region":"us-east"}\n{"label":"new-2","region":"us-east"}'
  const lines: [line: string, stdin?: string][] = [
    ['volumes create --label new --region us-east --wait'],
    ['volumes create --label new --region us-east --if-absent'],
    ['volumes create --body - --wait', bodies],
    ['volumes create --body - --if-absent', bodies],
    ['volumes clone old --label new --wait'],
    ['volumes resize old --size 40 --wait'],
    ['volumes attach old --compute-id 1001 --wait'],
    ['apply - --yes', 'volumes: { new: { region: us-east, size: 20 }, new-2: { region: us-east, size: 20 } }'],
  ]
  const idsIn = (document: unknown) => {
    const records = isRecord(document) && Array.isArray(document.actions) ? document.actions : [document].flat()
    return records.map((record) => isRecord(record) && record.id)
  }

  test.for(lines)('%s', async ([line, stdin = ''], { skyctl, meanwhile, world }) => {
    let interrupt = () => {}
    await meanwhile({ after: ({ method }) => (method === 'POST' ? interrupt() : undefined) })
    for (const flags of ['--json', '-q', '-o csv']) {
      for (const { id } of world.volumes.all()) world.volumes.delete(id)
      const old = world.volume({ label: 'old', region: 'us-east' }).id
      const { exit, stdout, stderr } = await skyctl(`${line} ${flags}`, {
        stdin,
        onSignal(handler) {
          interrupt = () => handler('SIGINT')
          return () => {}
        },
      })
      expect(exit, stderr).toBe(130)
      const created = world.volumes.all().flatMap(({ id, label }) => (label.startsWith('new') ? [id] : []))
      const changed = created.length > 0 ? created : [old]
      const names = line.startsWith('apply') ? ['new', 'new-2'] : changed.map(String)
      const rows = stdout.trim().split('\n')
      if (flags === '--json') expect(idsIn(JSON.parse(stdout))).toEqual(changed)
      else if (flags === '-q') expect(rows).toEqual(names)
      else for (const id of changed) expect(rows.filter((row) => row.includes(`${id},`))).toHaveLength(1)
    }
  })
})
