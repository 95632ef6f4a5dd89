/** Part of a plan: compares random selections with a matcher and a rule of this test, which follow the contract alone (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { readDesiredState } from '../../src/account-file/desired-state'
import type { Plan } from '../../src/account-file/plan'
import { Selection } from '../../src/account-file/selection'
import { Problem } from '../../src/errors'
import fc, { runs } from '../support/fast-check'
import { ruleSet, ssh } from '../support/firewall-rules'
import { type Answers, planFor, recordsOf } from '../support/pure-plans'

/** Matches character by character, and tries all ends of each star. */
function isMatch([first, ...pattern]: readonly string[], name: readonly string[]): boolean {
  if (first === undefined) return name.length === 0
  if (first === '*') return name.some((_, at) => isMatch(pattern, name.slice(at))) || isMatch(pattern, [])
  return name.length > 0 && (first === '?' || first === name[0]) && isMatch(pattern, name.slice(1))
}

describe('a pattern of --only', () => {
  const letters = fc.constantFrom('a', 'b', '/', '.', '\n', '[', '\\', '😀', '+', '$', '(')
  const texts = (letter: fc.Arbitrary<string>) => fc.array(letter, { minLength: 1, maxLength: 6 })

  test('matches whole labels like a shell, with slashes as ordinary characters', () => {
    let matches = 0
    const property = fc.property(
      texts(fc.oneof(letters, fc.constantFrom('*', '?'))),
      texts(letters),
      (pattern, name) => {
        const has = new Selection([`sshkeys/${pattern.join('')}`]).has('sshkeys', name.join(''))
        expect(has).toBe(isMatch(pattern, name))
        if (has) matches += 1
      },
    )
    fc.assert(property, { numRuns: runs(1000) })
    expect(matches).toBeGreaterThan(100)
  })
})

type Firewalls = readonly (string | null)[]
interface Case {
  /** Firewall of each instance, in the account and in the file. */
  before: Firewalls
  after: Firewalls
  volumes: readonly number[]
  selected: readonly string[]
}

const labels = ['fw-a', 'fw-b', 'fw-c']
const computes = [7001, 7002, 7003, 7004]
const firewall = fc.constantFrom(...labels, null)
const anyCase: fc.Arbitrary<Case> = fc.record({
  before: fc.array(firewall, { minLength: computes.length, maxLength: computes.length }),
  after: fc.array(firewall, { minLength: computes.length, maxLength: computes.length }),
  volumes: fc.array(fc.constantFrom(20, 30, 40), { minLength: 2, maxLength: 2 }),
  selected: fc.uniqueArray(
    fc.constantFrom(...labels.map((label) => `firewalls/${label}`), 'volumes/v0', 'volumes/v1'),
    {
      minLength: 1,
    },
  ),
})

const servicesOf = (label: string, firewalls: Firewalls) => computes.filter((_, at) => firewalls[at] === label)

function answersOf({ before }: Case): Answers {
  return {
    volumes: [20, 20].map((size, at) => ({
      id: at + 1,
      label: `v${at}`,
      size,
      region: 'us-east',
      compute_id: null,
      tags: [],
    })),
    firewalls: labels.map((label, at) => ({
      firewall: { id: at + 1, label, status: 'enabled', tags: [], rules: ruleSet(ssh) },
      devices: servicesOf(label, before).map((id) => ({
        id: 10 * id,
        entity: { id, type: 'compute', label: `c${id}`, url: '' },
      })),
      asOf: 0,
    })),
    rdns: computes.map((compute_id, at) => ({
      address: `203.0.113.${at + 1}`,
      type: 'ipv4',
      compute_id,
      rdns: null,
      region: 'us-east',
    })),
    regions: ['us-east'],
  }
}

const textOf = ({ after, volumes }: Case) =>
  JSON.stringify({
    volumes: Object.fromEntries(volumes.map((size, at) => [`v${at}`, { size }])),
    firewalls: Object.fromEntries(labels.map((label) => [label, { devices: { computes: servicesOf(label, after) } }])),
  })

async function planOf(one: Case, only?: readonly string[]): Promise<Plan | readonly string[]> {
  const source = { name: 'a.json', text: textOf(one), read: () => Promise.reject(new Error('no file is named')) }
  const world = new Map(Object.entries(answersOf(one)).map(([key, values]) => [key, recordsOf(key, values)]))
  try {
    return planFor(await readDesiredState([source], {}), world, { prune: false, selection: new Selection(only) })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.details.failures ?? []).map(({ problem }) => problem.message)
  }
}

/** Returns the selected firewalls that exchange a service with a firewall that is not selected. */
function separatedIn({ before, after, selected }: Case): string[] {
  const isSelected = (label: string) => selected.includes(`firewalls/${label}`)
  const separated = computes.flatMap((_, at) => {
    const [from, to] = [before[at] ?? null, after[at] ?? null]
    return from !== null && to !== null && from !== to && isSelected(from) !== isSelected(to) ? [from, to] : []
  })
  return [...new Set(separated.filter(isSelected))].sort()
}

const shapeOf = ({ objects }: Plan, selected?: readonly string[]) =>
  objects
    .filter(({ kind, name }) => selected?.includes(`${kind}/${name}`) ?? true)
    .map(({ kind, name, id, steps }) => ({ kind, name, id, steps: JSON.stringify(steps) }))

test('a random selection has the steps of the whole plan, or is rejected if it separates firewalls of a handover', async () => {
  const outcomes = { planned: 0, refused: 0 }
  const property = fc.asyncProperty(anyCase, async (one) => {
    const [whole, part] = [await planOf(one), await planOf(one, one.selected)]
    if (Array.isArray(whole) || !('objects' in whole)) throw new Error(String(whole))
    const separated = separatedIn(one)
    if (!('objects' in part)) {
      expect(part.map((message) => /^firewalls\.(fw-.): compute/.exec(message)?.[1]).sort()).toEqual(separated)
      outcomes.refused += 1
      return
    }
    expect(separated).toEqual([])
    expect(shapeOf(part)).toEqual(shapeOf(whole, one.selected))
    expect(part.objects.length + part.same).toBe(one.selected.length)
    outcomes.planned += 1
  })
  await fc.assert(property, { numRuns: runs(150) })
  expect(Math.min(outcomes.planned, outcomes.refused)).toBeGreaterThan(20)
})
