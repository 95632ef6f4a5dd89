/** What the command `help` prints: topics, pages of commands, and what is found (interface.md, help). */
import { describe, expect, test } from 'vitest'
import { topics } from '../../src/commands/help/topics'
import { runSkyctl } from '../support/run'

describe('help TOPIC', () => {
  test.for(Object.keys(topics))('%s is a text for people, and a record for programs', async (topic) => {
    const { exit, stdout } = await runSkyctl(`help ${topic}`)
    const [title = ''] = topics[topic]?.split('\n') ?? []
    expect({ exit, title: stdout.split('\n')[0] }).toEqual({ exit: 0, title })
    const told = await runSkyctl(`help ${topic} --json`)
    expect(JSON.parse(told.stdout)).toEqual({ topic, text: topics[topic] })
  })

  test('is read on a terminal, whatever format is set for all commands, unless one is asked for', async () => {
    const env = { SKYCTL_OUTPUT: 'json' }
    const title = topics.output?.split('\n')[0]
    const shown = await runSkyctl('help output', { env, columns: 60 })
    expect(shown.stdout.split('\n')[0]).toBe(title)
    expect(Math.max(...shown.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const [line, columns] of [
      ['help output', undefined],
      ['help output --json', 60],
      ['help output -o json', 60],
    ] as const)
      expect(JSON.parse((await runSkyctl(line, { env, ...(columns && { columns }) })).stdout).topic).toBe('output')
  })

  test('can be asked with a query', async () => {
    expect((await runSkyctl('help output --query topic -o tsv')).stdout).toBe('output\n')
  })

  test('is no topic with another word behind it', async () => {
    expect(await runSkyctl('help output more')).toMatchObject({ exit: 2, stdout: '' })
  })
})

describe('help COMMAND', () => {
  test.for(['volumes create', 'volumes', 'api', ''])('%s is the same as --help', async (line) => {
    expect(await runSkyctl(`help ${line}`)).toEqual(await runSkyctl(`${line} --help`))
  })

  test.for([{}, { columns: 50 }])('behind a flag is the same too, on a terminal or not: %j', async (options) => {
    const page = await runSkyctl('volumes create --help', options)
    expect(await runSkyctl('--yes help volumes create', options)).toEqual(page)
  })
})

describe('help find', () => {
  test('prints as many as are asked for, with their columns', async () => {
    const found = async (flags: string) => (await runSkyctl(`help find token ${flags}`)).stdout.trimEnd().split('\n')
    expect((await found('-o tsv'))[0]).toBe('command\tsummary')
    expect((await found('-o tsv --columns all'))[0]).toBe('command\tsummary\tfound_in')
    expect((await found('--quiet')).length).toBeGreaterThan(3)
    expect(await found('--quiet --limit 2')).toEqual((await found('--quiet')).slice(0, 2))
    expect(await found('--quiet --limit 0')).toEqual([''])
  })

  test('takes words that stand in one argument, and any space around them', async () => {
    const one = await runSkyctl(['help', 'find', ' reverse  dns ', '--quiet'])
    expect(one).toEqual(await runSkyctl('help find reverse dns --quiet'))
    expect(one.stdout).toContain('skyctl ips rdns\n')
  })

  test.for([
    ['zzzzqqqq', 'no help has "zzzzqqqq". Try one word only, or see skyctl --help'],
    ['firewlal', 'no help has "firewlal". Did you mean "firewall"?'],
  ] as const)('of %s finds nothing, and says what may be meant', async ([word, said]) => {
    expect(await runSkyctl(`help find ${word}`)).toEqual({ exit: 5, stdout: '', stderr: `skyctl: ${said}\n` })
  })
})
