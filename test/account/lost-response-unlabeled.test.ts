/** Lost answers to creations of objects without label and time: new objects are reported, none is adopted. */
import { expect, test } from 'vitest'
import { compareFields } from '../../src/account/label-lookup'
import { reportNewcomers } from '../../src/account/lost-response-unlabeled'
import type { Resource } from '../../src/account/resource'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode) => new Problem(code, `it is ${code}`)
const lost = problem('outcome_unknown')
type List = readonly Record<string, unknown>[]

/** Returns the problem after a lost answer, with these results of list requests before and after. */
async function problemAfter(lists: (List | Error | undefined)[], more: Partial<Resource> = {}) {
  const resource = { noun: 'firewall', parameter: 'id', ...more } as Resource
  const alike = () => {
    const list = lists.shift()
    if (list instanceof Error) return Promise.reject(list)
    return list && Promise.resolve(list)
  }
  const recover = await reportNewcomers({ body: { size: 1 }, resource, compare: compareFields, alike })
  return recover(lost, () => Promise.reject(new Error('never again'))).catch((error: unknown) => error)
}

test.for<[string, (List | Error | undefined)[], string]>([
  ['no object is new', [[{ id: 1 }], [{ id: 1 }]], '; there is no new firewall'],
  ['the API lists none any more', [[{ id: 1 }], undefined], '; there is no new firewall'],
  [
    'one object is new',
    [[{ id: 1 }], [{ id: 1 }, { id: 2, size: 1 }]],
    '; firewall 2 is new, and matches, but somebody else may have created it',
  ],
  [
    'several objects are new',
    [[], [{ id: 2, size: 3 }, { id: 3 }]],
    '; firewall 2 is new, and has size 3, not 1; firewall 3 is new, and matches, but somebody else may have created it',
  ],
  ['the list after it fails', [[], problem('unavailable')], '; the check failed: it is unavailable'],
  ['the list before it is not permitted', [problem('not_allowed')], ''],
])('A lost answer is reported if %s', async ([, lists, reason]) => {
  expect(await problemAfter(lists)).toMatchObject({
    code: 'outcome_unknown',
    message: `it is outcome_unknown${reason}`,
    details: { hint: 'Check before you try again: skyctl firewalls list' },
  })
})

test('A new object is named by its identifying field', async () => {
  const lists = [[{ range: 'a' }], [{ range: 'a' }, { range: 'b\n' }]]
  expect(await problemAfter(lists, { key: 'range', group: 'ipv6 ranges' })).toMatchObject({
    message: 'it is outcome_unknown; firewall b\\n is new, and matches, but somebody else may have created it',
    details: { hint: 'Check before you try again: skyctl ipv6 ranges list' },
  })
})

test('A lost answer is reported with a remark if the API lists no such objects', async () => {
  expect(await problemAfter([undefined])).toMatchObject({
    ...{ code: 'outcome_unknown', message: 'it is outcome_unknown; the API lists no such firewall', cause: lost },
  })
})

test('A failure of the list before the request is thrown', async () => {
  await expect(problemAfter([problem('unavailable')])).rejects.toThrow('it is unavailable')
})
