/** `--query` gets the document that `--json` prints, in every command. */
import { describe, expect } from 'vitest'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'
import { openEnvironment } from './support/test-environment'

/** Commands with another document than JSON of the account. */
const without = /^(help|completion .*|auth login|sandbox reset|history clear)$/
const printing = commands.filter(({ path, command }) => {
  const hasQuery = command.flags?.some(({ name }) => name === 'query')
  return hasQuery && samples[path] && !without.test(path)
})

/** Expression for the form of a document: its type, and the keys of its first object. */
const form = "join(' ', [[type(@)], sort(keys((type(@) == 'array' && [0]) || (type(@) == 'object' && @) || `{}`))][])"

/** Returns what the expression returns. */
function formOf(document: unknown): string {
  const first: unknown = Array.isArray(document) ? document[0] : document
  const keys = typeof first === 'object' && first !== null ? Object.keys(first).sort() : []
  return [Array.isArray(document) ? 'array' : document === null ? 'null' : typeof document, ...keys].join(' ')
}

/** Runs the sample of a command in a world of its own. */
async function documentOf(path: string, flags: readonly string[]) {
  const place = await openEnvironment({ transitionMs: 0 })
  try {
    const sample = samples[path]
    await sample?.arrange?.(place)
    const line = `${path} ${sample?.line}`.split(' ').filter((word) => word !== '')
    const { exit, stdout, stderr } = await place.skyctl([...line, ...flags], { stdin: sample?.stdin })
    expect({ path, exit, stderr: exit === 0 ? '' : stderr }).toEqual({ path, exit: 0, stderr: '' })
    return stdout
  } finally {
    await place.close()
  }
}

describe('--query gets the document of --json', () => {
  test.for(printing.map(({ path }) => path))('%s', async (path) => {
    const json = formOf(JSON.parse(await documentOf(path, ['--json'])))
    const queried = await documentOf(path, ['--query', form])
    expect(queried.replaceAll('"', '').trim()).toBe(json)
  })

  test('of several targets: a record of each with its outcome', async ({ skyctl, world }) => {
    for (const id of [9001, 9002]) world.network.firewall({ id, label: `sample-${id}` })
    world.network.firewall({ id: 9003, label: 'locked', tags: ['protected'] })
    const query = "join(',', [].[to_string(id), to_string(ok)][])"
    for (const format of ['table', 'csv', 'json']) {
      const line = ['firewalls', 'disable', '9001', '9002', '9003', '--yes', '--query', query, '-o', format]
      expect((await skyctl(line)).stdout.replaceAll('"', '').trim()).toBe('9001,true,9002,true,9003,false')
    }
  })

  test('of a change whose wait failed: its answer', async ({ skyctl }) => {
    const line = 'volumes create --label late --region us-east --wait --wait-timeout 0s'
    const { exit, stdout } = await skyctl(`${line} --query label`)
    expect({ exit, stdout }).toEqual({ exit: 10, stdout: '"late"\n' })
  })
})
