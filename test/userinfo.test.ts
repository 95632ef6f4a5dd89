/** A user name and a password in a base URL are never printed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const address = 'https://ada:hunter2@api.example.net/v4'
const unset = { SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' }

/** Writes contexts as somebody might by hand. */
function writeContexts(folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  const contexts = { prod: { base_url: address, token: 'a' } }
  writeFileSync(join(folder, 'contexts.json'), JSON.stringify({ current: 'prod', contexts }), { mode: 0o600 })
}

describe('a password in a base URL', () => {
  test.for([
    'context list',
    'context list --json',
    'context view prod --json',
    'context view',
    'completion values contexts',
    'completion values contexts --json',
    'volumes list --debug',
    'volumes list --json --debug',
    'auth status --json',
    'auth status --debug',
  ])('of a context is not printed: %s', async (line, { skyctl, env }) => {
    writeContexts(env.SKYCTL_CONFIG_DIR ?? '')
    const result = await skyctl(line, { env: unset })
    expect(JSON.stringify(result)).not.toMatch(/hunter2|\bada\b/)
    expect(JSON.stringify(result)).toContain('prod')
  })

  test.for(['volumes list --debug', 'volumes list --json', 'auth status --json --debug', 'completion values volumes'])(
    'of the environment or a flag is not printed: %s',
    async (line, { skyctl }) => {
      const results = [
        await skyctl(line, { env: { SKYCTL_BASE_URL: address, SKYCTL_TOKEN: 'a' } }),
        await skyctl(`${line} --base-url ${address}`),
      ]
      for (const result of results) {
        expect(result.exit).toBe(2)
        expect(JSON.stringify(result)).not.toMatch(/hunter2|\bada\b/)
      }
    },
  )
})
