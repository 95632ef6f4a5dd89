/** Properties of every output format, and of their table. */
import { describe, expect } from 'vitest'
import { formatNames, formats } from '../src/output/formats'
import { runSkyctl, test } from './support/skyctl'

/** Formats of interface.md, typed by hand. */
const documented = {
  table: { kind: 'screen', json: false, streams: false },
  json: { kind: 'data', json: true, streams: false },
  ndjson: { kind: 'data', json: true, streams: true },
  yaml: { kind: 'data', json: false, streams: false },
  csv: { kind: 'rows', json: false, streams: true },
  tsv: { kind: 'rows', json: false, streams: true },
}

test('the formats are as documented', () => {
  const actual = formatNames.map((name) => {
    const { kind, json, writer } = formats[name]
    return [name, { kind, json, streams: writer.streams }]
  })
  expect(actual).toEqual(Object.entries(documented))
})

test.for([
  ['text', 'For text without borders, pass -o tsv'],
  ['name', 'For ids alone, pass --quiet'],
  ['wide', 'For all columns, pass --columns all'],
  ['custom-columns=ID:.id', 'To choose columns, pass --columns id,label'],
  ['jsonpath={.items[*].id}', "To select values, pass a JMESPath expression: --query '[].label'"],
  ['go-template', "To select values, pass a JMESPath expression: --query '[].label'"],
] as const)('a format of another tool is rejected with a hint: %s', async ([name, hint], { skyctl }) => {
  for (const command of ['volumes list', 'overview'])
    expect(await skyctl(`${command} -o ${name}`)).toMatchObject({
      ...{ exit: 2, stdout: '' },
      stderr: expect.stringMatching(/^skyctl: --output: ".*" is not one of table, json, .*\. .*\n$/),
    })
  expect((await skyctl(`volumes list -o ${name}`)).stderr).toContain(`. ${hint}\n`)
})

test('a query that finds nothing prints null with a warning, and exit code 0', async ({ skyctl }) => {
  const { exit, stdout, stderr } = await skyctl('volumes list --query data[].label')
  expect({ exit, stdout: stdout.trim(), stderr }).toEqual({
    exit: 0,
    stdout: 'null',
    stderr: expect.stringMatching(/^skyctl: warning: the query found nothing: the document is a list\./),
  })
})

describe.each(formatNames)('%s', (format) => {
  test('is in the help of --output and in help output, with its description', async () => {
    const [flag = ''] = /--output <format>[^-]*/.exec((await runSkyctl('--help --all')).stdout) ?? []
    expect(flag).toMatch(new RegExp(`\\b${format}\\b`))
    const { stdout } = await runSkyctl('help output')
    expect(stdout).toMatch(new RegExp(`^ {4}${format} +${formats[format].description.slice(0, 20)}`, 'm'))
  })

  test('can be set by flag, environment and context', async ({ skyctl, sandbox }) => {
    const flag = await skyctl(`volumes list --limit 2 --output ${format}`)
    expect(flag).toMatchObject({ exit: 0, stdout: expect.stringContaining('data-1') })
    expect(await skyctl('volumes list --limit 2', { env: { SKYCTL_OUTPUT: format } })).toEqual(flag)
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --with-token --context prod --base-url ${sandbox.baseUrl}`
    await skyctl(login, { env, stdin: sandbox.ownerToken })
    await skyctl(`context update prod --default-output ${format}`, { env })
    expect(await skyctl('volumes list --limit 2', { env })).toEqual(flag)
  })

  test('has errors as JSON if it is read as JSON', async ({ skyctl }) => {
    const { json } = documented[format]
    for (const line of ['volumes view 1', 'volumes view --nonsense', 'volumes list --columns lable']) {
      const { exit, stderr } = await skyctl(`${line} --output ${format}`)
      expect(exit).not.toBe(0)
      expect(stderr).toMatch(json ? /^\{"error":\{.*\}\}\n$/ : /^skyctl: .*\n$/)
    }
  })
})

test('an unknown format is rejected by flag, variable and context, with the list of formats', async ({ skyctl }) => {
  const message = `"xml" is not one of ${Object.keys(documented).join(', ')}\n`
  expect(await skyctl('volumes list --output xml')).toMatchObject({ exit: 2, stderr: `skyctl: --output: ${message}` })
  expect(await skyctl('volumes list', { env: { SKYCTL_OUTPUT: 'xml' } })).toMatchObject({
    exit: 2,
    stderr: `skyctl: SKYCTL_OUTPUT: ${message}`,
  })
  expect(await skyctl('context update prod --default-output xml')).toMatchObject({
    exit: 2,
    stderr: `skyctl: --default-output: ${message}`,
  })
})

test.for(['-o=json', '-ojson', '-o json', '-qo=json'])(
  'The value of a short flag may follow it at once, or after an equals sign: %s',
  async (flag, { skyctl }) => {
    const { exit, stdout } = await skyctl(`volumes list ${flag}`)
    expect({ exit, isArray: Array.isArray(JSON.parse(stdout)) }).toEqual({ exit: 0, isArray: true })
  },
)
