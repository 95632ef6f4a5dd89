/** Node's permission model (`node --permission`), under which each kind of access needs a flag. */
import { dirname } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/process'
import { file, isOfBun } from '../support/program'

const [major = 0] = process.versions.node.split('.').map(Number)
const model = major < 22 ? '--experimental-permission --no-warnings' : '--permission --no-warnings'
const folder = dirname(dirname(file))
const all = `${model} --allow-fs-read=* --allow-fs-write=*`
/** From Node 26 on connections need a flag that older versions refuse. */
const hasNetworkFlag = process.allowedNodeEnvironmentFlags.has('--allow-net')
const node = (flags: string, line: string) => `exec node ${flags} ${file} ${line}`

describe.skipIf(isOfBun || process.platform === 'win32')('With the permission model of Node', () => {
  // Node 20 does not start a script that it may not read.
  test.skipIf(major < 22)('the program names its folder if Node may not read it', async ({ shell }) => {
    expect(await shell(node(model, 'regions list'))).toEqual({
      exit: 12,
      signal: null,
      stdout: '',
      stderr: `skyctl: Node's permission model denies reading ${folder}. Start Node with --allow-fs-read=${folder}\n`,
    })
  })

  test('a file that Node may not read is named with the flag, as JSON too', async ({ shell, home }) => {
    const { exit, stderr } = await shell(node(`${model} --allow-fs-read=${folder}`, 'regions list --json'))
    expect({ exit, problem: JSON.parse(stderr) }).toMatchObject({
      exit: 12,
      problem: {
        error: {
          code: 'local',
          message: expect.stringMatching(`^Node's permission model denies FileSystemRead of ${home}/`),
          hint: expect.stringMatching(`^Start Node with --allow-fs-read=${home}/`),
          retryable: false,
        },
      },
    })
  })

  test('with all permissions a command works', async ({ shell }) => {
    const { exit, stderr } = await shell(node(hasNetworkFlag ? `${all} --allow-net` : all, 'regions list --quiet'))
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  })

  test.skipIf(!hasNetworkFlag)('a request is not repeated if Node may not connect', async ({ shell }) => {
    const { exit, stderr } = await shell(node(all, 'regions list'))
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringMatching(/: Node's permission model denies it\. Start Node with --allow-net\n$/),
    })
  })

  test.skipIf(!hasNetworkFlag)('the sandbox of a context names the flag if Node may not listen', async ({ shell }) => {
    const { exit, stderr } = await shell(node(all, 'regions list --context sandbox'))
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringMatching(/cannot listen on .*denies it\. Start Node with --allow-net\n$/),
    })
  })
})
