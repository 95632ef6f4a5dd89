/** An answer to a creation that is about something else than was asked for: what was made is looked for, or unknown. */
import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { samples } from './support/samples'
import { test } from './support/skyctl'

const time = '2026-01-02T03:04:05'
const volume = { id: 4711, label: 'data', size: 40, region: 'us-east', status: 'creating', tags: [], created: time }
/** Of the volume "sample". */
const copy = { ...volume, size: 20 }

/** What is created, and what of the answer is not as it was asked for. */
const cases = [
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, label: 'theirs' }],
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, size: 400 }],
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, region: 'eu-west' }],
  ['volumes clone sample --label data', /clone$/, { ...copy, label: 'theirs' }],
  ['volumes clone sample --label data', /clone$/, { ...copy, size: 400 }],
  ['volumes clone 9001 --label data', /clone$/, { ...copy, region: 'eu-west' }],
] as const

test.for(cases)(
  '%s answered about something else is not done with the id of that',
  async ([line, path, other], { skyctl, sandbox, world, env, home, clock, lossy }) => {
    const reply = (outgoing: ServerResponse) =>
      void outgoing.writeHead(200).end(JSON.stringify({ ...volume, ...other }))
    const away = {}
    await samples['volumes clone']?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    lossy.lose('POST', path, { done: false, reply })
    const lost = await skyctl(`${line} --json`, away)
    expect({ ...lost, stderr: JSON.parse(lost.stderr.trim().split('\n').at(-1) ?? '').error.code }).toEqual({
      exit: 11,
      stdout: '',
      stderr: 'outcome_unknown',
    })
    lossy.lose('POST', path, { done: true, reply })
    const made = await skyctl(`${line} --json`, away)
    expect(made.exit).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({ label: 'data', id: world.volumes.all().at(-1)?.id })
  },
)

test.for([
  { id: 1009, type: 'compute' },
  { id: 9002, type: 'balancer' },
])(
  '%j as the service of a new device is not done with that',
  async (entity, { skyctl, sandbox, world, env, home, clock, lossy }) => {
    const device = { id: 4711, entity: { label: 'theirs', url: '', ...entity }, created: time, updated: time }
    const reply = (outgoing: ServerResponse) => void outgoing.writeHead(200).end(JSON.stringify(device))
    const add = () => skyctl('firewalls devices add sample --compute-id 9002 --yes --json')
    await samples['firewalls devices add']?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    for (const _ of [1, 2]) lossy.lose('POST', /devices$/, { done: false, reply })
    const lost = await add()
    const { code } = JSON.parse(lost.stderr.trim().split('\n').at(-1) ?? '').error
    expect({ ...lost, stderr: code }).toEqual({ exit: 11, stdout: '', stderr: 'outcome_unknown' })
    lossy.lose('POST', /devices$/, { done: true, reply })
    const { exit, stdout } = await add()
    const [made] = world.network.devices.all().filter(({ entity }) => entity === 9002)
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      id: made?.id,
      entity: { id: 9002, type: 'compute' },
    })
  },
)
