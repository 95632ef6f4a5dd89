/** Errors and warnings name the objects that were created before the output failed. */
import { describe, expect, onTestFinished } from 'vitest'
import { lossyProxy } from './support/lossy-proxy'
import { test } from './support/skyctl'

const closedPipe = { stdout: { code: 'EPIPE', from: 0 } } as const
const fullDisk = { stdout: { code: 'ENOSPC', from: 0 } } as const
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc me'

const creations: [line: string, kind: string, label: string | null][] = [
  ['volumes create --label fresh --region us-east', 'volume', 'fresh'],
  ['volumes create --label fresh --region us-east --if-absent', 'volume', 'fresh'],
  ['volumes create --label fresh --region us-east --wait', 'volume', 'fresh'],
  ['volumes clone 3002 --label copy', 'volume', 'copy'],
  ['firewalls create --label fresh --inbound-policy drop --outbound-policy accept', 'firewall', 'fresh'],
  ['ips allocate --compute-id 1001 --public', 'address', null],
  ['ipv6 ranges create --prefix-length 64 --compute-id 1010', 'IPv6 range', null],
  [`profile sshkeys add --label fresh --ssh-key "${key}"`, 'SSH key', 'fresh'],
  ['tokens create --label fresh', 'token', 'fresh'],
  ['tokens rotate 9 --yes', 'token', 'deploy'],
]

describe.for(creations)('%s on a full disk', ([line, kind, label]) => {
  test('names the created object in JSON', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl(`${line} --json`, { fails: fullDisk })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect({ exit, error }).toMatchObject({
      exit: 12,
      error: { code: 'local', retryable: false, created: { kind, label, id: expect.anything() } },
    })
    expect(error.message).toMatch(/^cannot write the output: /)
    expect(error.message).toContain(String(error.created.id))
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('names it in the last line of text, also with --quiet', async ({ skyctl }) => {
    const flags = line.startsWith('tokens') ? '' : ' --quiet'
    const { exit, stderr } = await skyctl(`${line}${flags}`, { fails: fullDisk })
    expect(exit).toBe(12)
    const last = stderr.trimEnd().split('\n').at(-1)
    expect(last).toContain(label === null ? kind : `"${label}"`)
    expect(last).toMatch(/was created|the text of token "\w+" \(\d+\) is in/)
  })
})

describe.for([
  ['volumes create --label fresh --region us-east', 'volume', 'fresh'],
  ['ips allocate --compute-id 1001 --public', 'address', null],
] as const)('%s without a reader of stdout', ([line, kind, label]) => {
  test('warns about the created object in JSON', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(`${line} --json`, { fails: closedPipe })
    const [{ warning }, ...more] = stderr
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect({ exit, more, warning }).toMatchObject({
      ...{ exit: 0, more: [] },
      warning: { created: { kind, label, id: expect.anything() } },
    })
    const { id } = warning.created
    const name = label === null ? `${kind} ${id}` : `${kind} "${label}" (${id})`
    expect(warning.message).toBe(`nobody reads the output; ${name} was created`)
  })

  test('names it once in text, also with --quiet', async ({ skyctl }) => {
    const normal = await skyctl(line, { fails: closedPipe })
    const quiet = await skyctl(`${line.replace('fresh', 'other')} --quiet`, { fails: closedPipe })
    expect([normal, quiet]).toMatchObject([{ exit: 0 }, { exit: 0 }])
    expect(normal.stderr).not.toContain('nobody reads')
    expect(quiet.stderr).toMatch(/^skyctl: warning: nobody reads the output; .+ was created\n$/)
  })
})

test('a created object causes no warning if the output is read', async ({ skyctl }) => {
  expect(await skyctl('volumes create --label fresh --region us-east --json')).toMatchObject({ exit: 0, stderr: '' })
})

test('an existing object is not named as created', async ({ skyctl }) => {
  const line = 'volumes create --label fresh --region us-east --if-absent'
  await skyctl(line)
  const { exit, stderr } = await skyctl(`${line} --json`, { fails: fullDisk })
  const { created, message } = JSON.parse(stderr).error
  expect({ exit, created, message }).toEqual({ exit: 12, created: undefined, message: expect.not.stringMatching(/;/) })
})

test('an object of --if-absent is named as created if the check for duplicates fails', async ({
  skyctl,
  sandbox,
  world,
}) => {
  const proxy = await lossyProxy(sandbox.baseUrl)
  onTestFinished(proxy.close)
  // A filter that finds nothing is not trusted.
  for (const _lookup of ['filtered', 'whole']) proxy.pass('GET', /^\/volumes/)
  proxy.lose('GET', /^\/volumes/, 'request lost')
  const line = 'volumes create --label fresh --region us-east --if-absent --retries 0 --json'
  const { exit, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  const [{ id } = { id: 0 }] = world.volumes.all().filter(({ label }) => label === 'fresh')
  expect({ exit, error }).toMatchObject({
    exit: 8,
    error: { retryable: false, created: { kind: 'volume', id, label: 'fresh' } },
  })
  expect(error.message).toContain(`, after volume "fresh" (${id}) was created`)
})

test('all of several created objects are named', async ({ skyctl, world }) => {
  const stdin = ['a', 'b'].map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n')
  const { exit, stderr } = await skyctl('volumes create --body - --json', { stdin, fails: fullDisk })
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  expect({ exit, labels: error.created.map(({ label }: { label: string }) => label).sort() }).toEqual({
    exit: 12,
    labels: ['a', 'b'],
  })
  expect(world.requests('POST')).toHaveLength(2)
  const again = ['d', 'e', 'f'].map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n')
  const text = await skyctl('volumes create --body -', { stdin: again, fails: fullDisk })
  for (const label of ['d', 'e', 'f']) expect(text.stderr).toContain(`Created volume "${label}"`)
})
