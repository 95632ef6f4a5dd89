/** Mistakes in the arguments of a program: reported before anything is sent, with the nearest option. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { optionOfFlag, withOptionNames } from '../src/account/option-names'
import { openAccount, Problem } from '../src/library'
import { failureOf, test } from './support/library'

describe('an unknown option', () => {
  const body = { label: 'data', region: 'us-east' }

  test.for<[string, unknown[], string, string]>([
    [
      'volumes.create',
      [body, { ifabsent: true }],
      'volumes.create has no option "ifabsent"',
      'Did you mean "ifAbsent"?',
    ],
    ['volumes.create', [body, { Wait: true }], 'volumes.create has no option "Wait"', 'Did you mean "wait"?'],
    ['volumes.create', [body, { ifPresent: true }], 'volumes.create has no option "ifPresent"', 'Did you mean'],
    ['volumes.create', [body, { size: 20 }], 'volumes.create has no option "size"', 'Pass it in the body'],
    [
      'volumes.delete',
      ['data-1', { ifAbsent: true }],
      'volumes.delete has no option "ifAbsent"',
      'Options: ifPresent, force',
    ],
    [
      'volumes.delete',
      ['data-1', { dryRun: true }],
      'volumes.delete has no option "dryRun"',
      'Options: ifPresent, force',
    ],
    ['volumes.view', ['data-1', { wait: true }], 'volumes.view has no option "wait"', 'It has no options'],
    [
      'firewalls.rules.update',
      ['web', {}, { ifmatch: 'x' }],
      'firewalls.rules.update has no option "ifmatch"',
      'Did you mean "ifMatch"?',
    ],
    [
      'tokens.revoke',
      [13, { evenIfCurrent: true }],
      'tokens.revoke has no option "evenIfCurrent"',
      'Options: ifPresent, force',
    ],
    [
      'profile.update',
      [{ email: 'a@example.net' }, { force: true }],
      'profile.update has no option "force"',
      'It has no options',
    ],
    ['volumes.list', [{ filters: { label: 'x' } }], 'volumes.list has no option "filters"', 'Did you mean "filter"?'],
    [
      'volumes.list',
      [{ tags: 'old' }],
      'volumes.list has no option "tags"',
      'Pass it in a filter: { filter: { tags: ... } }',
    ],
    [
      'volumes.list',
      [{ filter: { regoin: 'us-east' } }],
      'filter: there is no field "regoin"',
      'Did you mean "region"?',
    ],
    ['volumes.list', [{ filter: { tag: 'old' } }], 'filter: there is no field "tag"', 'Did you mean "tags"?'],
    [
      'firewalls.devices.list',
      ['web', { filter: { type: 'compute' } }],
      'filter: there is no field "type"',
      'Fields: ',
    ],
    [
      'volumes.create',
      [{ ...body, ifAbsent: true }],
      'ifAbsent is an option, not a field of the body',
      'Pass it after the body',
    ],
    ['volumes.update', ['data-1', {}], 'volumes.update: nothing to change', 'Pass one of label or tags'],
    [
      'volumes.update',
      ['data-1', { label: undefined }],
      'volumes.update: nothing to change',
      'Pass one of label or tags',
    ],
    ['firewalls.rules.update', ['web'], 'firewalls.rules.update: nothing to change', 'Pass one of inbound'],
    ['volumes.resize', ['data-1', { siz: 40 }], 'size is required; siz: unknown field. Did you mean "size"?', ''],
    ['volumes.create', [body, {}, {}], 'volumes.create has too many arguments', ''],
    [
      'request',
      [{ method: 'GET', path: '/profile', bodi: {} }],
      'request has no option "bodi"',
      'Did you mean "body"?',
    ],
  ])('is refused before anything is sent: %s %j', async ([path, args, message, hint], { library, world }) => {
    const { code, ...failure } = await failing(library().call(path, ...args))
    expect({ code, message: failure.message, hint: failure.hint ?? '' }).toEqual({
      code: 'usage',
      message,
      hint: expect.stringContaining(hint),
    })
    expect(world.requests()).toEqual([])
  })

  test.for<[object, string, string?]>([
    [{ Context: 'prod' }, 'openAccount has no option "Context"', 'Did you mean "context"?'],
    [{ timeout: 5 }, 'openAccount has no option "timeout"', 'Did you mean "timeoutMs"?'],
    [{ context: '' }, 'context must be a text'],
    [{ context: 7 }, 'context must be a text'],
    [{ timeoutMs: 'soon' }, 'timeoutMs must be a whole number'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a whole number'],
    [{ maxWaitMs: 1.5 }, 'maxWaitMs must be a whole number'],
    [{ retries: 99 }, 'retries: "99" is not a whole number of 0 to 20'],
    [{ concurrency: 0 }, 'concurrency: "0" is not a whole number of 1 to 64'],
    [{ signal: {} }, 'signal must be an AbortSignal'],
    [{ onWarning: 'log' }, 'onWarning must be a function'],
    [{ token: 'x' }, 'baseUrl and token belong together, without a context'],
    [{ baseUrl: 'ftp://x', token: 'x'.repeat(64) }, 'baseUrl'],
  ])('of an account is refused at once: %j', ([options, message, hint]) => {
    const open = () => openAccount({ env: {}, ...options })
    expect(open).toThrow(Problem)
    expect(open).toThrow(message)
    if (hint) expect(open).toThrow(expect.objectContaining({ details: expect.objectContaining({ hint }) }))
  })

  test('with the value undefined is not set', async ({ library, world }) => {
    world.transitionMs = 0
    const options = { wait: undefined, ifAbsent: undefined, allowDuplicate: undefined }
    expect(await library({ context: undefined, retries: undefined }).outcome('volumes.create', body, options)).toBe(
      'done',
    )
    const page = library().call('volumes.list', { filter: { label: undefined } })
    expect(await failing(page)).toBeUndefined()
  })
})

describe('a wrong value', () => {
  test.for<[object, string]>([
    ...['10s', {}, Number.NaN, -1, 0, 1.5, null].map((wait): [object, string] => [
      { wait },
      'wait must be true, false or a whole number of milliseconds',
    ]),
    [{ ifAbsent: 'yes' }, 'ifAbsent must be true or false'],
    [{ allowDuplicate: 1 }, 'allowDuplicate must be true or false'],
  ])('of an option is refused before anything is sent: %j', async ([options, message], { library, world }) => {
    const body = { label: 'data', region: 'us-east' }
    expect(await library().outcome('volumes.create', body, options)).toMatchObject({ code: 'usage', message })
    expect(world.requests()).toEqual([])
  })

  test.for<[string, object, string]>([
    ['volumes.list', { size: '20' }, 'filter.size must be a number or null'],
    ['volumes.list', { tags: ['a'] }, 'filter.tags must be a text or null'],
    ['volumes.list', { size: { '+gt': 10 } }, 'filter.size must be a number or null'],
    ['volumes.list', { size: Number.NaN }, 'filter.size must be a number or null'],
    ['firewalls.list', { label: 7 }, 'filter.label must be a text or null'],
  ])('of a filter is refused before anything is sent: %s %j', async ([path, filter, message], { library, world }) => {
    expect(await failing(library().call(path, { filter }))).toMatchObject({ code: 'usage', message })
    expect(await failing(library().call(path, { filter: 'label=x' }))).toMatchObject({
      message: 'filter must be an object of fields and values',
    })
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['rules', 'ifMatch', 'x', 'ifMatch must be a hash of rules'],
    ['rules', 'keepOpen', 'tcp/22', 'keepOpen must be a list of traffic, such as tcp/22@198.51.100.7'],
  ])('of an option of rules is refused: %s %s', async ([, name = '', value, message], { library, world }) => {
    const options = { [name]: value }
    expect(await library().outcome('firewalls.rules.update', 'web', {}, options)).toMatchObject({
      code: 'usage',
      message,
    })
    expect(world.requests()).toEqual([])
  })
})

test('a filter may name a nested field', async ({ library, world }) => {
  const { id } = world.network.firewall({ label: 'front' })
  world.network.device(id, 'compute', 1003)
  world.network.device(id, 'balancer', 2002)
  const devices = await records(
    library().call('firewalls.devices.list', 'front', { filter: { 'entity.type': 'balancer' } }),
  )
  expect(devices).toMatchObject([{ entity: { id: 2002 } }])
})

describe('messages', () => {
  test.for([
    [
      'Pass --base-url, sign in with skyctl auth login --context prod, or stop',
      'Pass baseUrl, sign in with skyctl auth login --context prod, or stop',
    ],
    ['Or wait longer: --max-wait 90s', 'Or wait longer: maxWaitMs: 90000'],
    ['Run it again with --wait-timeout 1h', 'Run it again with wait: 3600000'],
    [
      'Add --force, or remove the tag first: skyctl volumes update 3001 --remove-tag protected',
      'Add force: true, or remove the tag first: skyctl volumes update 3001 --remove-tag protected',
    ],
  ])('name options, and commands keep their flags: %s', ([text = '', expected]) => {
    expect(withOptionNames(text)).toBe(expected)
  })

  test('of everything below the commands name only flags that are options', () => {
    // Journals, openings and --filter with a region belong to the command line; the last two are flags of Node.
    const others = ['--resume', '--filter', '--for', '--mark', '--allow-net', '--disable-wasm-trap-handler']
    const folder = join(__dirname, '../src')
    const sources = ['account', 'catalogue', 'config', 'http'].flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, name, file)),
    )
    const texts = [...sources.filter((name) => name.endsWith('.ts')), join(folder, 'cli/clients.ts')]
      .filter((name) => !name.endsWith('option-names.ts'))
      .flatMap((name) => readFileSync(name, 'utf8').split('\n'))
      .filter((line) => !/^\s*(\/\/|\/?\*)|setFlagsFromString/.test(line))
      .flatMap((line) => [...line.matchAll(/(['`])((?:(?!\1).)*)\1/g)].map(([, , text = '']) => withOptionNames(text)))
    const flags = texts.flatMap(
      (text) => text.replace(/skyctl .*?(?=[,;.)](?:\s|$)|$)/g, '').match(/--[a-z][a-z-]+/g) ?? [],
    )
    expect([...new Set(flags)].filter((flag) => !(flag in optionOfFlag) && !others.includes(flag))).toEqual([])
  })
})

/** Returns the failure of a call; undefined if it succeeds. A list is read. */
async function failing(call: Promise<unknown>) {
  try {
    await records(call)
    return undefined as never
  } catch (error) {
    return failureOf(error)
  }
}

async function records(call: Promise<unknown>): Promise<unknown[]> {
  const result = await call
  const all: unknown[] = []
  const isList = typeof result === 'object' && result !== null && Symbol.asyncIterator in result
  if (isList) for await (const record of result as AsyncIterable<unknown>) all.push(record)
  return all
}
