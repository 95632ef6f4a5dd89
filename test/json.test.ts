/**
 * With --json, stdout is one JSON document or empty, and stderr holds JSON too: for every command, on success and on
 * failure.
 */
import { describe, expect } from 'vitest'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

/** One document, or nothing. */
function document(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** Warnings are JSON too, a line each. */
function withoutWarnings(stderr: string): string {
  return stderr.replaceAll(/^\{"warning":\{"message":".*"\}\}\n/gm, '')
}

describe.for(commands)('$path', ({ path, command }) => {
  const sample = samples[path]

  test('prints JSON on success', async ({ skyctl, sandbox, world, env, home, clock }) => {
    expect(sample, `a sample for ${path}`).toBeDefined()
    await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken)
    const { exit, stdout, stderr } = await skyctl(`${path} ${sample?.line} --json`, { stdin })
    expect({ exit, stderr: withoutWarnings(stderr) }).toEqual({ exit: 0, stderr: '' })
    expect(() => document(stdout)).not.toThrow()
  })

  test('prints nothing on stdout and JSON on stderr for a flag that does not exist', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${path} --no-such-flag --json`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(document(stderr)).toMatchObject({ error: { code: 'usage', exit_code: 2, message: expect.any(String) } })
  })

  test('prints nothing on stdout and JSON on stderr where the token is not known', async ({ skyctl, sandbox }) => {
    const line = `${path} ${sample?.line} --json --yes`
    const { exit, stdout, stderr } = await skyctl(line, { env: { SKYCTL_TOKEN: 'unknown' }, stdin: sandbox.ownerToken })
    document(stdout)
    if (exit === 0) return
    expect(stdout).toBe('')
    expect(document(stderr)).toMatchObject({ error: { exit_code: exit } })
  })

  test('has a summary, and every flag and argument a description', () => {
    const texts = [command.summary, ...command.flags.map((flag) => flag.description)]
    texts.push(...(command.arguments ?? []).map(({ description }) => description))
    expect(texts.filter((text) => text === '' || text.endsWith('.'))).toEqual([])
  })
})
