/** docs/conformance.md has a row for each rule of api.md, and a test for each row. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\S[^|]*: [^|]+) \| (?:`([^`]+)`|—) \|$/gm)].map(([, rule = '', cited]) => ({
  rule,
  cited,
}))

/** Number of rules, bullets, conditions, limits or statements in each part of api.md, counted by hand. */
const counts: readonly [part: string, count: number][] = [
  ...Object.entries({ Conventions: 7, 'What the service does': 6, Profile: 3, Volumes: 6, Firewalls: 9, Ports: 6 }),
  ...Object.entries({ Assign: 6, Ranges: 4, Authentication: 10, Versioning: 5, Errors: 40, Events: 6, Resources: 19 }),
  ...Object.entries({ States: 11, Limits: 27, Fields: 42, Flows: 19, Endpoints: 80, 'Firewall label': 4, Traffic: 9 }),
  ...Object.entries({ 'Firewall rule': 8, Share: 3, 'Reverse DNS': 2, VLANs: 1 }),
  // Details that the document does not show, input of real clients, and effects outside of the API.
  ...Object.entries({ 'Not shown': 16, Clients: 13, Outside: 9 }),
]

/** Rules without a test: terms, purposes, and effects that no request of this API can cause or observe. */
const untested = [
  ...['Conventions 4: ', 'Conventions 7: ', 'Profile 3: ', 'Volumes 5: ', 'Firewalls 5: ', 'Assign 6: '],
  ...['Authentication 8: ', 'Errors 6: ', 'Versioning 5: ', 'Outside: '],
  ...['Not shown: when authorized_keys are ignored', 'Not shown: transitions of regions'],
]

describe('docs/conformance.md', () => {
  test.for(counts)('has each rule of the part "%s" once: %i', ([part, count]) => {
    const rules = rows.map(({ rule }) => rule).filter((rule) => rule.replace(/( \d+)?: .*/, '') === part)
    expect(rules).toHaveLength(count)
    expect(new Set(rules).size).toBe(count)
  })

  test('has no other row, and a test for each rule that can be tested', () => {
    const withoutHeaders = page.replaceAll('| Rule | Test |\n|---|---|\n', '')
    expect(withoutHeaders.match(/^\|/gm)).toHaveLength(counts.reduce((sum, [, count]) => sum + count, 0))
    for (const { rule, cited } of rows) {
      expect({ rule, isCited: cited !== undefined }).toEqual({
        rule,
        isCited: !untested.some((start) => rule.startsWith(start)),
      })
    }
  })

  test.for(rows.flatMap(({ cited }) => cited ?? []))('cites an existing test: %s', (cited) => {
    const [, file = '', title = ''] = /^([\w-]+): (.+)$/.exec(cited) ?? []
    const folders = ['conformance', 'sandbox'].filter((folder) =>
      readdirSync(join(root, 'test', folder)).includes(`${file}.test.ts`),
    )
    expect(folders).toHaveLength(1)
    expect(readFileSync(join(root, 'test', folders[0] ?? '', `${file}.test.ts`), 'utf8')).toContain(`'${title}'`)
  })
})
