/** Who a watcher is signed in as: the account of the change that it undoes, however that one was named (interface.md, Configuration). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { before, test, until } from '../support/openings'

const open = 'firewalls open gate --port 22 --from 198.51.100.7'

interface Case {
  /** What names the account on the command line and around it; `prod` is its context, and `other` one of nobody. */
  flags?: string
  env: Record<string, string | undefined>
}

const cases: Readonly<Record<string, Case>> = {
  'a context that a flag names, beside the token of another': {
    flags: '--context prod',
    env: { SKYCTL_TOKEN: 'nobody0123456789', SKYCTL_BASE_URL: undefined },
  },
  'a context that the environment names': {
    env: { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
  },
  'a context that a flag names, beside another of the environment': {
    flags: '--context prod',
    env: { SKYCTL_CONTEXT: 'other', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
  },
  'a file that holds the token': { env: { SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: 'token' } },
}

test.for(Object.entries(cases))(
  'A watcher closes a firewall at the account of %s',
  async ([, { flags = '', env: named }], { start, gate, sandbox, home, watchers }) => {
    const env = { ...named, ...(named.SKYCTL_TOKEN_FILE && { SKYCTL_TOKEN_FILE: join(home, 'token') }) }
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
    expect(gate.rules()).toEqual(before)
  },
)
