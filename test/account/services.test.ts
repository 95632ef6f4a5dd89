/** Compute instances and balancers by label, from volumes and firewall devices (interface.md, Targets). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import type { ServiceKind } from '../../src/account/service-kinds'
import { computeOf, readServices, serviceId, serviceIds, serviceNames } from '../../src/account/service-lookup'
import { targetNames } from '../../src/account/target-names'
import type { Operation } from '../../src/catalogue/operation'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'
import { temporaryFolder } from '../support/temporary-folder'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const attached = (id: number, label: string) => ({ compute_id: id, compute_label: label })
const device = (type: string, id: number, label: unknown) => ({ entity: { type, id, label } })

interface Sources {
  volumes?: readonly object[] | Error
  /** Devices of each firewall, whose id is its index. */
  firewalls?: readonly (readonly object[] | Error)[] | Error
}

function accountOf({ volumes: attachments = [], firewalls = [] }: Sources) {
  const cache = temporaryFolder()
  const requests: string[] = []
  const answer = ({ path }: Operation, call: { path?: { firewallId: number }; limit?: number }) => {
    if (path === volumes.list.path) return attachments
    if (firewalls instanceof Error) return firewalls
    const firewall = call.path?.firewallId
    return firewall === undefined
      ? firewalls.map((_, id) => ({ id })).slice(0, call.limit)
      : (firewalls[firewall] ?? [])
  }
  const client = {
    async *pages(operation: Operation, call: object = {}) {
      requests.push(operation.path)
      const page = answer(operation, call)
      if (page instanceof Error) throw page
      yield page
    },
  }
  const account = {
    client: async () => client,
    local: { paths: { cache }, env: {}, secrets: { inData: (text: string) => text } },
    access: { credential: async () => ({ sandbox: true, context: { name: 'sandbox', from: 'flag' } }) },
  } as unknown as Account
  const cachedNames = (kind: ServiceKind) => readFileSync(join(cache, 'names/sandbox', kind), 'utf8')
  return { account, requests, cachedNames }
}

const sources: Sources = {
  volumes: [attached(1, 'web'), attached(1, 'web'), { compute_id: null, compute_label: null }],
  firewalls: [[device('compute', 2, 'db'), device('balancer', 3, 'front')], [device('compute', 4, null)]],
}

describe('A service', () => {
  test('is found once in volumes and firewall devices', async () => {
    const { account, cachedNames } = accountOf(sources)
    expect(await readServices('computes', account)).toEqual({
      services: [
        { kind: 'computes', id: 1, label: 'web' },
        { kind: 'computes', id: 2, label: 'db' },
      ],
      unread: [],
    })
    expect(cachedNames('computes')).toBe('db\t2\nweb\t1\n')
  })

  test('of the kind balancer is found only in devices', async () => {
    const { account, requests } = accountOf(sources)
    expect((await readServices('balancers', account)).services).toEqual([{ kind: 'balancers', id: 3, label: 'front' }])
    expect(requests).not.toContain(volumes.list.path)
  })

  test('is searched only in a limited number of firewalls if requested', async () => {
    const { account, requests } = accountOf({ firewalls: [[], [device('compute', 2, 'db')]] })
    expect((await readServices('computes', account, { most: 1 })).services).toEqual([])
    expect(requests).toHaveLength(3)
  })

  test.for<[string, Sources, string[]]>([
    ['volumes', { volumes: problem('not_allowed'), firewalls: [] }, ['volumes']],
    ['firewalls', { firewalls: problem('not_allowed') }, ['firewalls']],
    ['devices', { firewalls: [problem('not_allowed')] }, ['firewalls']],
  ])('is found in the other sources if %s cannot be read', async ([, restricted, unread]) => {
    expect((await readServices('computes', accountOf(restricted).account)).unread).toEqual(unread)
  })

  test('is found in the other firewalls if one was deleted meanwhile', async () => {
    const { account } = accountOf({
      firewalls: [problem('not_found', { missing: '/networking/firewalls/1' }), [device('compute', 2, 'db')]],
    })
    expect(await readServices('computes', account)).toMatchObject({ services: [{ id: 2 }], unread: [] })
  })

  test('cannot be found if nothing can be read, or a read fails', async () => {
    const none = problem('not_allowed')
    const nothing = accountOf({ volumes: none, firewalls: none })
    await expect(readServices('computes', nothing.account)).rejects.toBe(none)
    const failure = problem('unavailable')
    for (const broken of [{ volumes: failure }, { volumes: none, firewalls: failure }, { firewalls: [failure] }])
      await expect(readServices('computes', accountOf(broken).account)).rejects.toBe(failure)
  })

  test('is attached to a volume with its id and label', () => {
    expect(computeOf(attached(1, 'web'))).toEqual([{ kind: 'computes', id: 1, label: 'web' }])
    for (const [id, label] of [
      [null, 'web'],
      ['1', 'web'],
      [1, null],
    ])
      expect(computeOf({ compute_id: id, compute_label: label })).toEqual([])
  })
})

describe('An argument for services', () => {
  test('can be an id, without any request', async () => {
    const { account, requests } = accountOf(sources)
    expect(await serviceIds(['7', 'id:8'], 'computes', account)).toEqual([7, 8])
    expect([await serviceId('7', 'computes', account), await serviceId(undefined, 'computes', account)]).toEqual([
      7,
      undefined,
    ])
    expect(requests).toEqual([])
  })

  test('can be a label', async () => {
    expect(await serviceIds(['db', '7', 'web'], 'computes', accountOf(sources).account)).toEqual([2, 7, 1])
  })

  test('is refused if several have the label', async () => {
    const { account } = accountOf({ volumes: [attached(1, 'web'), attached(2, 'web')] })
    await expect(serviceIds(['web'], 'computes', account)).rejects.toMatchObject({
      code: 'refused',
      message: '2 compute instances have the label "web": id:1, id:2',
      details: { hint: 'Name one by its id' },
    })
  })

  const inInstances = 'The API reports instance labels only in volumes and firewall devices'
  const byId = 'Name others by id'

  test.for<[ServiceKind, label: string, Sources, hint: string]>([
    ['computes', 'wbe', sources, `Did you mean "web"? ${inInstances}. ${byId}`],
    ['computes', 'zzzzzz', sources, `${inInstances}. ${byId}`],
    ['balancers', 'zzzzzz', sources, `The API reports balancer labels only in firewall devices. ${byId}`],
    [
      'computes',
      'zzzzzz',
      { volumes: problem('not_allowed') },
      `${inInstances}, and this token may not read volumes. ${byId}`,
    ],
  ])('is rejected with a hint if no %s has the label: %s', async ([kind, label, available, hint]) => {
    await expect(serviceIds([label], kind, accountOf(available).account)).rejects.toMatchObject({
      code: 'not_found',
      message: `no known ${kind === 'computes' ? 'compute instance' : 'balancer'} has the label "${label}"`,
      details: { hint },
    })
  })

  test('is completed by label, or by id if the label has a comma', () => {
    const services = [
      { kind: 'computes' as const, id: 1, label: 'web' },
      { kind: 'computes' as const, id: 1, label: 'web' },
      { kind: 'computes' as const, id: 2, label: 'a,b' },
    ]
    expect(serviceNames(services, 'computes')).toEqual([
      { name: 'web', note: '1' },
      { name: '2', note: 'a,b' },
    ])
  })
})

test('An object is completed by a form that identifies it: its label, label:LABEL, or its id', () => {
  const labels = ['web', '7', 'label:a', 'id:7', '-x', 'two', 'two', 'a\u001b', undefined]
  const names = targetNames(
    labels.map((label, index) => ({ id: index + 1, ...(label && { label }) })),
    'volume',
  )
  expect(names.map(({ name }) => name)).toEqual([
    ...['web', 'label:7', 'label:label:a', 'label:id:7', 'label:-x', '6', '7', '8', '9'],
  ])
  expect(names.map(({ note }) => note)).toEqual(['1', '2', '3', '4', '5', 'two', 'two', 'a\\x1b', ''])
})
