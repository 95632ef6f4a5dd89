/**
 * An answer to a creation that describes a different object: skyctl looks for the created one, or the outcome is
 * unknown.
 */
import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { samples } from './support/samples'
import { test } from './support/skyctl'

const time = '2026-01-02T03:04:05'
const volume = { id: 4711, label: 'data', size: 40, region: 'us-east', status: 'creating', tags: [], created: time }
/** A clone of the volume "sample". */
const copy = { ...volume, size: 20 }

/** Commands, with an answer that differs from the request. */
const cases = [
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, label: 'theirs' }],
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, size: 400 }],
  ['volumes create --label data --size 40 --region us-east', /^.volumes$/, { ...volume, region: 'eu-west' }],
  ['volumes clone sample --label data', /clone$/, { ...copy, label: 'theirs' }],
  ['volumes clone sample --label data', /clone$/, { ...copy, size: 400 }],
  ['volumes clone 9001 --label data', /clone$/, { ...copy, region: 'eu-west' }],
] as const

test.for(cases)(
  '%s does not return the id of a different object',
  async ([line, path, other], { skyctl, sandbox, world, env, home, clock, lossy }) => {
    const reply = (outgoing: ServerResponse) =>
      void outgoing.writeHead(200).end(JSON.stringify({ ...volume, ...other }))
    await samples['volumes clone']?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    lossy.lose('POST', path, { done: false, reply })
    const lost = await skyctl(`${line} --json`)
    expect({ ...lost, stderr: JSON.parse(lost.stderr.trim().split('\n').at(-1) ?? '').error.code }).toEqual({
      exit: 11,
      stdout: '',
      stderr: 'outcome_unknown',
    })
    lossy.lose('POST', path, { done: true, reply })
    const created = await skyctl(`${line} --json`)
    expect(created.exit).toBe(0)
    expect(JSON.parse(created.stdout)).toMatchObject({ label: 'data', id: world.volumes.all().at(-1)?.id })
  },
)

test.for([
  { id: 1009, type: 'compute' },
  { id: 9002, type: 'balancer' },
])(
  'firewalls devices add does not return a device with a different service: %j',
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
    const [created] = world.network.devices.all().filter(({ entity }) => entity === 9002)
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      id: created?.id,
      entity: { id: 9002, type: 'compute' },
    })
  },
)
