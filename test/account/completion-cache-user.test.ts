/** Users of cached names if a token command prints the token (interface.md, Configuration). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../support/skyctl'

const outside = { SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined }

test('Completion forgets the names of a user after a token command prints the token of another one', async ({
  skyctl,
  sandbox,
  world,
  home,
}) => {
  const file = join(home, 'token')
  const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
  await skyctl(login, { env: outside, stdin: sandbox.ownerToken })
  writeFileSync(file, sandbox.ownerToken)
  await skyctl(['context', 'update', 'prod', '--token-command', `cat '${file}'`], { env: outside })
  await skyctl('completion values volumes', { env: outside })
  const names = join(home, 'cache', 'skyctl', 'names', 'prod', 'volumes')
  expect(readFileSync(names, 'utf8')).toContain('data-1')
  await skyctl('profile view', { env: outside })
  expect(existsSync(names)).toBe(true)
  writeFileSync(file, world.token('*', 2))
  await skyctl('profile view', { env: outside })
  expect(existsSync(names)).toBe(false)
})
