/** Closed pipes, full disks, slow readers and closed streams. */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { test } from '../support/process'
import { completeRecord } from '../support/records'

describe('A reader that stops early', () => {
  test.for(['volumes list', 'regions availability --json', '--help'])(
    'ends "%s" without an error',
    async (line, { shell }) => {
      const { stdout, stderr } = await shell(`(skyctl ${line}; echo "exit $?" >&2) | head -n 1`)
      expect(stdout.split('\n')).toHaveLength(2)
      expect(stderr).toBe('exit 0\n')
    },
  )

  test('ends a long output without an error', async ({ shell }) => {
    expect(await shell('(skyctl regions availability --json; echo "exit $?" >&2) | true')).toMatchObject({
      stdout: '',
      stderr: 'exit 0\n',
    })
  })
})

describe('A reader that stops during a change', () => {
  test.for(['2>&1 | head -n 1', '2>&1 | true', '2>&1 >&- | true'])(
    'does not stop the change: %s',
    async (rest, { shell, world }) => {
      const { stderr } = await shell(
        `{ skyctl volumes delete 3002 3004 3005 --yes --debug --concurrency 1; echo "exit $?" >&3; } 3>&2 ${rest}`,
      )
      expect(stderr).toBe('exit 0\n')
      expect([3002, 3004, 3005].filter((id) => world.volumes.get(id))).toEqual([])
    },
  )
})

test.skipIf(process.platform !== 'linux')(
  'A warning names the created resource if stdout is closed from the start',
  async ({ shell, world }) => {
    const { exit, stderr } = await shell('skyctl volumes create --label fresh --region us-east --json >&-')
    const [{ id } = { id: 0 }] = world.volumes.all().filter(({ label }) => label === 'fresh')
    expect({ exit, ...JSON.parse(stderr) }).toMatchObject({
      exit: 0,
      warning: { created: { kind: 'volume', id, label: 'fresh' } },
    })
  },
)

describe('A full disk', () => {
  test.for(['volumes list', 'volumes list --json', '--help', '--version'])(
    'fails "%s" with exit code 12',
    async (line, { shell }) => {
      const env = { SKYCTL_OUTPUT: undefined }
      const { exit, stderr } = await shell(`skyctl ${line} > /dev/full`, { env })
      expect(exit).toBe(12)
      expect(stderr).toContain('cannot write the output: no space is left on the device')
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
  )

  test('is reported as JSON after a change with --json', async ({ shell, world }) => {
    const { exit, stderr } = await shell('skyctl volumes delete 3002 --yes --json > /dev/full')
    expect(exit).toBe(12)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'local', exit_code: 12 } })
    expect(world.volumes.get(3002)).toBeUndefined()
  })

  test('for --debug-file causes one warning, and the command continues', async ({ shell, home }) => {
    // Limits files to one block.
    const line = `ulimit -f 1; skyctl volumes list --quiet --debug-file ${join(home, 'debug.log')}`
    const { exit, stdout, stderr } = await shell(line)
    expect({ exit, volumes: stdout.split('\n').includes('3002') }).toEqual({ exit: 0, volumes: true })
    expect(stderr).toMatch(/^skyctl: warning: the debug file is incomplete from here on: cannot write .*\n$/)
  })

  test('for stderr changes neither the work nor the exit code', async ({ shell }) => {
    expect(await shell('skyctl volumes view 3002 -o csv --columns id --no-headers 2> /dev/full')).toMatchObject({
      exit: 0,
      stdout: '3002\n',
    })
    expect(await shell('skyctl volumes view 9 2> /dev/full')).toMatchObject({ exit: 5, stdout: '' })
    expect(await shell('skyctl volumes update 3002 --label x --quiet 2> /dev/full')).toMatchObject({ exit: 0 })
  })
})

test('A slow reader gets every byte', async ({ shell }) => {
  // Larger than the buffer of a pipe (64 KiB on Linux).
  const data = Array.from({ length: 3000 }, (_, index) =>
    completeRecord({ id: index + 1, label: `volume-${index + 1}`, tags: [] }),
  )
  const { host } = await faultServer(reply(200, { data, page: 1, pages: 1, results: data.length }))
  const line = 'skyctl volumes list -o ndjson --columns id,label | while IFS= read -r line; do echo "$line"; done'
  const { exit, stdout } = await shell(line, { env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
  expect(exit).toBe(0)
  expect(stdout).toBe(data.map(({ id, label }) => `${JSON.stringify({ id, label })}\n`).join(''))
})

describe('A closed stream', () => {
  test('does not stop a command', async ({ shell, world }) => {
    const list = await shell('skyctl volumes list')
    expect(await shell('skyctl volumes list <&-')).toEqual(list)
    expect(await shell('skyctl volumes list 2>&-')).toEqual(list)
    expect(await shell('skyctl volumes list >&-')).toEqual({ ...list, stdout: '' })
    expect(await shell('skyctl volumes delete 3002 --yes <&- >&- 2>&-')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3002)).toBeUndefined()
    expect(await shell('skyctl volumes view 9 <&- >&- 2>&-')).toMatchObject({ exit: 5 })
  })

  test('is empty as input', async ({ shell }) => {
    expect(await shell('skyctl volumes view - <&-')).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'Nothing to do: stdin names no volume\n',
    })
    expect(await shell('skyctl volumes create --body - <&-')).toMatchObject({ exit: 2 })
    expect(await shell('skyctl auth login --base-url "$SKYCTL_BASE_URL" --with-token <&-')).toMatchObject({
      exit: 2,
      stderr: 'skyctl: the token is empty\n',
    })
  })

  test('confirms nothing as input', async ({ shell, world }) => {
    expect(await shell('skyctl volumes delete 3002 <&-')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Add --yes'),
    })
    expect(world.volumes.get(3002)).toBeDefined()
  })
})

describe('A pipe', () => {
  test('passes ids from one command to the next', async ({ shell, world }) => {
    const line =
      'skyctl volumes list --filter compute_id=none --filter label!=moving --quiet | skyctl volumes delete - --yes'
    const { exit, stdout, stderr } = await shell(line)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    expect(stderr).toBe(
      'Deleted volume "data-2" (3002)\nDeleted volume "backup" (3004)\nDeleted volume "media" (3005)\n3 of 3 deleted\n',
    )
    expect(world.volumes.get(3004)).toBeUndefined()
  })
})
