/** After a lost answer to what has neither label nor time: what is new is named, and nothing is taken for ours. */
import { expect, test } from 'vitest'
import { compareFields } from '../../src/account/label-lookup'
import type { Resource } from '../../src/account/resource'
import { reportNewcomers } from '../../src/account/unlabeled'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode) => new Problem(code, `it is ${code}`)
const lost = problem('outcome_unknown')
type Listed = readonly Record<string, unknown>[]

/** What is told after a lost answer, where looks at what there is end so in turn. */
async function told(looks: (Listed | Error | undefined)[], more: Partial<Resource> = {}) {
  const resource = { noun: 'firewall', parameter: 'id', ...more } as Resource
  const alike = () => {
    const look = looks.shift()
    if (look instanceof Error) return Promise.reject(look)
    return look && Promise.resolve(look)
  }
  const recover = await reportNewcomers({ body: { size: 1 }, resource, compare: compareFields, alike })
  return recover(lost, () => Promise.reject(new Error('never again'))).catch((error: unknown) => error)
}

test.for<[string, (Listed | Error | undefined)[], string]>([
  ['nothing is new', [[{ id: 1 }], [{ id: 1 }]], '; there is no new firewall'],
  ['the API lists none any more', [[{ id: 1 }], undefined], '; there is no new firewall'],
  [
    'something is new',
    [[{ id: 1 }], [{ id: 1 }, { id: 2, size: 1 }]],
    '; firewall 2 is new, and matches, but somebody else may have created it',
  ],
  [
    'several are new',
    [[], [{ id: 2, size: 3 }, { id: 3 }]],
    '; firewall 2 is new, and has size 3, not 1; firewall 3 is new, and matches, but somebody else may have created it',
  ],
  ['it cannot be looked', [[], problem('unavailable')], ''],
  ['it may not be looked before', [problem('not_allowed')], ''],
])('where %s', async ([, looks, said]) => {
  expect(await told(looks)).toMatchObject({
    code: 'outcome_unknown',
    message: `it is outcome_unknown${said}`,
    details: { hint: 'Check before you try again: skyctl firewalls list' },
  })
})

test('what has another name than its id is called by that', async () => {
  const looks = [[{ range: 'a' }], [{ range: 'a' }, { range: 'b\n' }]]
  expect(await told(looks, { key: 'range', group: 'ipv6 ranges' })).toMatchObject({
    message: 'it is outcome_unknown; firewall b\\n is new, and matches, but somebody else may have created it',
    details: { hint: 'Check before you try again: skyctl ipv6 ranges list' },
  })
})

test('where the API lists none such, that is said', async () => {
  expect(await told([undefined])).toMatchObject({
    ...{ code: 'outcome_unknown', message: 'it is outcome_unknown; the API lists no such firewall', cause: lost },
  })
})

test('a look before that fails ends all', async () => {
  await expect(told([problem('unavailable')])).rejects.toThrow('it is unavailable')
})
