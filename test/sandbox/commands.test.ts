/** The commands of `skyctl sandbox`: flags that `sandbox start` rejects, and the context "sandbox". */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/skyctl'

describe('sandbox start', () => {
  const failure = 'is not a status and a count. Write it as 429:3 or 503:2:/volumes'
  const count = 'is not a count. Write it as 1 or 2:/volumes'

  test.for([
    ...[
      '399:1',
      '600:1',
      '429',
      '429:',
      '429:0',
      '4290:1',
      'x429:1',
      '429:1234567',
      '429:3:volumes',
      '429:3:/a:b c',
    ].map((text) => ['--fail', text, failure] as const),
    ...['0', 'x', '-1', '1x', '1234567', '1:volumes', '2:'].map((text) => ['--drop-answer', text, count] as const),
    ['--clock', 'soon', 'is not a time. Write it as 2026-01-31T12:00:00, in UTC'] as const,
    ['--clock', '2026-02-30T12:00:00', 'is not a time. Write it as 2026-01-31T12:00:00, in UTC'] as const,
  ])('%s %s is refused', async ([flag, text, reason], { skyctl }) => {
    expect(await skyctl(['sandbox', 'start', `${flag}=${text}`])).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: ${flag}: "${text}" ${reason}\n`,
    })
  })

  test.for(['--fail 429:1,500:x', '--latency 600001', '--transition 600001', '--transition=-1', '--port 65536'])(
    '%s is refused',
    async (flags, { skyctl }) => {
      expect(await skyctl(`sandbox start ${flags}`)).toMatchObject({ exit: 2, stdout: '' })
    },
  )

  test('rejects --state together with --memory', async ({ skyctl, home }) => {
    expect(await skyctl(`sandbox start --memory --state ${join(home, 'world.json')}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'skyctl: --state and --memory contradict each other\n',
    })
  })
})

describe('the context "sandbox"', () => {
  const inside = { SKYCTL_CONTEXT: 'sandbox', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const send = 'profile phone send --iso-code DE --phone-number'

  test('has no messages at first, and prints so only for people', async ({ skyctl }) => {
    const empty = { exit: 0, stdout: '' }
    expect(await skyctl('sandbox outbox', { env: inside })).toMatchObject({ ...empty, stderr: 'No messages\n' })
    expect(await skyctl('sandbox outbox --json', { env: inside })).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
  })

  test('keeps each sent message, oldest first, and prints the command that shows it', async ({ skyctl }) => {
    const { stderr } = await skyctl(`${send} 030123456`, { env: inside })
    expect(stderr).toContain('The sandbox shows it with: skyctl sandbox outbox\n')
    await skyctl(`${send} 030123457`, { env: inside })
    const all = JSON.parse((await skyctl('sandbox outbox --json', { env: inside })).stdout)
    expect(all.map(({ to }: { to: string }) => to.slice(-3))).toEqual(['456', '457'])
    expect(Object.keys(all[0]).sort()).toEqual(['code', 'id', 'sent', 'text', 'to', 'user'])
    const one = JSON.parse((await skyctl('sandbox outbox --limit 1 --json', { env: inside })).stdout)
    expect(one).toEqual(all.slice(0, 1))
    const table = await skyctl('sandbox outbox', { env: inside })
    expect(table.stderr).toBe('')
  })

  test('prints messages in rows with the selected columns and order', async ({ skyctl }) => {
    for (const number of ['030123456', '030123457']) await skyctl(`${send} ${number}`, { env: inside })
    const lines = async (flags: string) =>
      (await skyctl(`sandbox outbox -o tsv ${flags}`, { env: inside })).stdout.trimEnd().split('\n')
    const [head, ...rows] = await lines('')
    expect([head, rows.length]).toEqual(['id\tsent\tto\ttext', 2])
    expect((await lines('--columns all'))[0]).toBe('id\tsent\tuser\tto\ttext\tcode')
    const [one, two] = await lines('--columns id,code --no-headers')
    expect(await lines('--columns id,code --no-headers --sort -id')).toEqual([two, one])
    expect(one).toMatch(/^\S+\t\d{6}$/)
    for (const flag of ['--page 1', '--page-size 25', '--filter id=1', '--columns colour'])
      expect(await skyctl(`sandbox outbox ${flag}`, { env: inside })).toMatchObject({ exit: 2, stdout: '' })
  })

  test('rejects --columns for its world and reset, but accepts --query', async ({ skyctl }) => {
    for (const line of ['sandbox world --columns id', 'sandbox reset --yes --columns id'])
      expect(await skyctl(line, { env: inside })).toMatchObject({ exit: 2, stdout: '' })
    const { stdout } = await skyctl(['sandbox', 'world', '--query', 'tokens[:1].{who: label}'], { env: inside })
    expect(stdout).toMatch(/^WHO\n\S+\n$/)
    expect((await skyctl('sandbox reset --yes --json --query @', { env: inside })).stdout).toBe('{}\n')
  })

  test('is the only one in which skyctl mentions an outbox', async ({ skyctl }) => {
    expect((await skyctl(`${send} 030123456`)).stderr).not.toContain('outbox')
  })

  test('is reset only after confirmation', async ({ skyctl }) => {
    await skyctl('volumes create --label mine --region us-east', { env: inside })
    expect(await skyctl('sandbox reset', { env: inside })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('All changes in it will be lost. Reset the sandbox? This must be confirmed'),
    })
    const labels = async () => (await skyctl('volumes list -o tsv --columns label', { env: inside })).stdout
    expect(await labels()).toContain('mine')
    expect(await skyctl('sandbox reset --yes', { env: inside })).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Reset the sandbox\n',
    })
    expect(await labels()).not.toContain('mine')
    expect((await skyctl('sandbox reset --yes --json', { env: inside })).stdout).toBe('{}\n')
  })

  test('prints its world as YAML by default, with its tokens', async ({ skyctl }) => {
    const yaml = await skyctl('sandbox world', { env: inside })
    expect(yaml.stdout).toMatch(/^\w+:/)
    const { tokens } = JSON.parse((await skyctl('sandbox world --json', { env: inside })).stdout)
    expect(tokens.length).toBeGreaterThan(0)
    for (const { token } of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect((await skyctl("sandbox world --query 'tokens[0].label' -o tsv", { env: inside })).stdout).toBe(
      `${tokens[0].label}\n`,
    )
  })
})
