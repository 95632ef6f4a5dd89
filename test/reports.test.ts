/** Commands whose JSON is an object with a list: --query applies to the object, --columns to the list. */
import { describe, expect } from 'vitest'
import { test } from './support/account-files'

const text = 'volumes: { data-1: { size: 50 }, data-2: { size: 30 } }'

describe.for<[command: string, list: string, field: string, stdin?: string]>([
  ['plan -', 'objects', 'name', text],
  ['apply - --yes', 'actions', 'name', text],
  ['audit', 'findings', 'code'],
  ['doctor', 'checks', 'name'],
  ['firewalls rules list web', 'inbound', 'label'],
])('%s', ([command, list, field, stdin]) => {
  test('has the same --query result in every format', async ({ skyctl }) => {
    const query = `--query type(${list})`
    for (const form of ['', '--json', '-o yaml', '-q']) {
      const { stdout } = await skyctl(`${command} ${query} ${form}`, { stdin: stdin ?? '' })
      expect({ form, output: stdout.trim().replaceAll('"', '') }).toEqual({ form, output: 'array' })
    }
  })

  test('has the fields of each list item with --columns, in JSON, too', async ({ skyctl }) => {
    const { stdout } = await skyctl(`${command} --columns ${field} --json`, { stdin: stdin ?? '' })
    const records: Record<string, unknown>[] = JSON.parse(stdout)
    expect(records.length).toBeGreaterThan(1)
    expect(records.every((record) => typeof record[field] === 'string' && Object.keys(record).length === 1)).toBe(true)
  })
})
