/** Limits of stdin: UTF-8 text of at most 32 MiB (reliability.md). */
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const mebibyte = 1024 * 1024
const filled = (bytes: number) => Buffer.alloc(bytes, ' ').fill('3001\n', 0, 5)
const line = 'volumes view - --quiet'

describe('stdin', () => {
  test('is read up to 32 MiB', async ({ skyctl }) => {
    expect(await skyctl(line, { stdin: filled(32 * mebibyte) })).toEqual({ exit: 0, stdout: '3001\n', stderr: '' })
  })

  test('is read up to the file limit of 128 MiB for an account file', async ({ skyctl, world }) => {
    const file = (bytes: number) => Buffer.alloc(bytes, ' ').fill('{"volumes":{}}', 0, 14)
    const { exit, stdout } = await skyctl('plan -', { stdin: file(33 * mebibyte) })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^No changes/) })
    const { exit: exitCode, stderr } = await skyctl('plan -', { stdin: file(128 * mebibyte + 1) })
    expect({ exitCode, stderr }).toEqual({ exitCode: 12, stderr: 'skyctl: stdin is too large: over 128 MiB\n' })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for([
    ['stdin is too large: over 32 MiB', filled(32 * mebibyte + 1), 12],
    ['stdin is not UTF-8 text', Buffer.from('{"label": "caf\xe9", "region": "us-east"}', 'latin1'), 2],
  ] as const)('is rejected before anything is sent: %s', async ([message, stdin, exit], { skyctl, world }) => {
    for (const each of [line, 'volumes create --body -']) {
      expect(await skyctl(each, { stdin })).toEqual({ exit, stdout: '', stderr: `skyctl: ${message}\n` })
    }
    expect(world.requests()).toEqual([])
  })
})
