/** Output of the command `help`: topics, pages of commands, and search results (interface.md, help). */
import { describe, expect, test } from 'vitest'
import { topics } from '../../src/commands/help/topics'
import { runSkyctl } from '../support/run'

describe('help TOPIC', () => {
  test.for(Object.keys(topics))('prints a text for people, and a record for programs: %s', async (topic) => {
    const { exit, stdout } = await runSkyctl(`help ${topic}`)
    const [title = ''] = topics[topic]?.split('\n') ?? []
    expect({ exit, title: stdout.split('\n')[0] }).toEqual({ exit: 0, title })
    const record = await runSkyctl(`help ${topic} --json`)
    expect(JSON.parse(record.stdout)).toEqual({ topic, text: topics[topic] })
  })

  test('prints text on a terminal despite SKYCTL_OUTPUT, unless a flag sets the format', async () => {
    const env = { SKYCTL_OUTPUT: 'json' }
    const title = topics.output?.split('\n')[0]
    const onTerminal = await runSkyctl('help output', { env, columns: 60 })
    expect(onTerminal.stdout.split('\n')[0]).toBe(title)
    expect(Math.max(...onTerminal.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const [line, columns] of [
      ['help output', undefined],
      ['help output --json', 60],
      ['help output -o json', 60],
    ] as const)
      expect(JSON.parse((await runSkyctl(line, { env, ...(columns && { columns }) })).stdout).topic).toBe('output')
  })

  test('accepts --query', async () => {
    expect((await runSkyctl('help output --query topic -o tsv')).stdout).toBe('output\n')
  })

  test('rejects additional words', async () => {
    expect(await runSkyctl('help output more')).toMatchObject({ exit: 2, stdout: '' })
  })
})

describe('help COMMAND', () => {
  test.for(['volumes create', 'volumes', 'api', ''])('prints the same as --help: %s', async (line) => {
    expect(await runSkyctl(`help ${line}`)).toEqual(await runSkyctl(`${line} --help`))
  })

  test.for([{}, { columns: 50 }])('prints the same behind a global flag, on a terminal or not: %j', async (options) => {
    const page = await runSkyctl('volumes create --help', options)
    expect(await runSkyctl('--yes help volumes create', options)).toEqual(page)
  })
})

/** Questions, with the search words, the first page in the results, and the answer on that page. */
const questions: readonly [question: string, words: string, page: string, answer: string][] = [
  ['How do I see what is exposed?', 'how do I see what is exposed', 'overview', 'volumes, what is exposed'],
  ['Which scopes does a command need?', 'scopes of a command', 'tokens create', '--scopes-for <command>'],
  ['Which volumes are older than 30 days?', 'volumes older than 30 days', 'volumes list', "--filter 'created>30d'"],
  ['How do I use it in Docker?', 'use in docker', 'help environment', 'docker run --rm -e SKYCTL_BASE_URL'],
  ['What do the exit codes mean?', 'exit codes', 'help exit-codes', ' 11  outcome unknown'],
  ['How do I undo a change?', 'undo a change', 'history undo', 'skyctl history undo 1\n'],
  ['How do I use two accounts?', 'two accounts', 'context use', 'skyctl auth login --context NAME'],
  ['What costs money?', 'cost', 'audit', 'skyctl audit --code volume-unattached'],
  [
    'How do I protect all instances?',
    'firewall for all instances',
    'firewalls devices add',
    '# Protect all instances without a firewall',
  ],
  ['How do I rotate a token in CI?', 'rotate a token in CI', 'tokens rotate', '# In a CI job: replace the token'],
]

describe('A question', () => {
  test.for(questions)('is answered by two commands: %s', async ([, words, page, answer]) => {
    const { exit, stdout } = await runSkyctl(`help find ${words} --quiet`)
    expect({ exit, first: stdout.split('\n')[0] }).toEqual({
      exit: 0,
      first: expect.stringContaining(`skyctl ${page}`),
    })
    const read = await runSkyctl(page.startsWith('help ') ? page : `${page} --help`)
    expect(read.stdout.replaceAll(/(?<! ) *\n +/g, ' ') + read.stdout).toContain(answer)
  })

  test.for([
    ['docker', 'help environment'],
    ['container', 'help environment'],
    ['environment', 'help environment'],
    ['cost', 'audit'],
  ] as const)('of one word has a page among its results: %s', async ([word, page]) => {
    const { exit, stdout } = await runSkyctl(`help find ${word} --quiet`)
    expect({ exit, lines: stdout.trimEnd().split('\n') }).toEqual({
      exit: 0,
      lines: expect.arrayContaining([`skyctl ${page}`]),
    })
  })

  test('of filler words only is searched by these', async () => {
    expect((await runSkyctl('help find how --quiet')).exit).toBe(0)
    expect(await runSkyctl('help find the zzzz')).toMatchObject({ exit: 5 })
  })
})

describe('help find', () => {
  test('prints the requested number of results and columns', async () => {
    const resultLines = async (flags: string) =>
      (await runSkyctl(`help find token ${flags}`)).stdout.trimEnd().split('\n')
    expect((await resultLines('-o tsv --columns all'))[0]).toBe('command\tsummary')
    expect((await resultLines('--quiet')).length).toBeGreaterThan(3)
    expect(await resultLines('--quiet --limit 2')).toEqual((await resultLines('--quiet')).slice(0, 2))
    expect(await resultLines('--quiet --limit 0')).toEqual([''])
  })

  test('lists the ten best for people, with the line for all', async () => {
    const { stdout, stderr } = await runSkyctl('help find token', { columns: 120 })
    expect(stdout.trimEnd().split('\n')).toHaveLength(11)
    expect(stderr).toMatch(/^\d+ more: skyctl help find token --limit \d+\n$/)
  })

  test('accepts words in one argument, with any space around them', async () => {
    const one = await runSkyctl(['help', 'find', ' reverse  dns ', '--quiet'])
    expect(one).toEqual(await runSkyctl('help find reverse dns --quiet'))
    expect(one.stdout).toContain('skyctl ips rdns\n')
  })

  test.for([
    ['zzzzqqqq', 'no help has "zzzzqqqq". Try another word, or see skyctl --help'],
    ['firewlal', 'no help has "firewlal". Did you mean "firewall"?'],
  ] as const)('fails without a result, with a suggestion: %s', async ([word, message]) => {
    expect(await runSkyctl(`help find ${word}`)).toEqual({ exit: 5, stdout: '', stderr: `skyctl: ${message}\n` })
  })
})
