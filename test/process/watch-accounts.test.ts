/** Account of a watcher, which is that of its change (interface.md, Configuration). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { initialRules, test, until } from '../support/openings'

const open = 'firewalls open gate --port 22 --from 198.51.100.7'

interface Case {
  /** Flags and variables that name the account; `prod` is its context, and `other` does not exist. */
  flags?: string
  env: Record<string, string | undefined>
}

const cases: Readonly<Record<string, Case>> = {
  'a context in a flag, beside the token of another account': {
    flags: '--context prod',
    env: { SKYCTL_TOKEN: 'nobody0123456789', SKYCTL_BASE_URL: undefined },
  },
  'a context in the environment': {
    env: { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
  },
  'a context in a flag, beside another in the environment': {
    flags: '--context prod',
    env: { SKYCTL_CONTEXT: 'other', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
  },
  'a token file': { env: { SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: 'token' } },
}

test.for(Object.entries(cases))(
  'A watcher uses the account of its change: %s',
  async ([, { flags = '', env: variables }], { start, gate, sandbox, home, watchers }) => {
    const env = { ...variables, ...(variables.SKYCTL_TOKEN_FILE && { SKYCTL_TOKEN_FILE: join(home, 'token') }) }
    writeFileSync(join(home, 'token'), sandbox.ownerToken, { mode: 0o600 })
    const outside = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    expect(await start(login, { env: outside, stdin: sandbox.ownerToken }).end).toMatchObject({ exit: 0 })
    const opened = await start(`${open} --for 1h ${flags}`, { env }).end
    expect({ exit: opened.exit, open: gate.open(), stderr: opened.stderr }).toMatchObject({ exit: 0, open: ['22'] })
    const [watcher = 0] = watchers()
    expect(readFileSync(`/proc/${watcher}/environ`, 'latin1').split('\0')).toContain(
      `SKYCTL_TOKEN=${sandbox.ownerToken}`,
    )
    process.kill(watcher, 'SIGTERM')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  },
)
