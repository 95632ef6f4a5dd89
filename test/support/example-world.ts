/**
 * Environment of an example: a home of its own on a new sandbox, the files that pages mention, and stand-ins for other
 * programs.
 */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { httpsService } from './https-service'
import type { InProcessShell } from './in-process-shell'
import type { TestSandbox } from './sandbox'
import { test as base } from './terminal'
import { endWatchers } from './watchers'

/** A folder to run in, and its environment: not signed in, with the context `sandbox`. */
export interface ExampleHome {
  cwd: string
  env: Record<string, string | undefined>
}

interface ExampleFixtures extends Pick<InProcessShell, 'runShell'> {
  /** Creates a place whose `skyctl` runs in this process, or as a process of its own if `started`. */
  fresh(skyctl?: 'started'): ExampleHome
}

export const test = base.extend<ExampleFixtures>({
  runShell: async ({ inProcessShell }, use) => use(inProcessShell.runShell),
  fresh: async ({ home, sandbox, processEnv, inProcessShell }, use) => {
    const standIns = makeStandIns(home)
    const service = await httpsService(sandbox.baseUrl)
    const signedOut = { SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined }
    await use((skyctl) => {
      const { cwd, env } = makeHome(home, sandbox)
      const own = skyctl === 'started' ? [] : [inProcessShell.folder]
      const PATH = [...own, standIns, processEnv.PATH].join(':')
      return { cwd, env: { ...processEnv, ...signedOut, ...service, ...env, PATH } }
    })
    endWatchers(home)
  },
})

const otpauth = createRequire(import.meta.url).resolve('otpauth')

export const threeAnswers = {
  security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: `answer ${question_id}` })),
}

/** Stand-ins by name, for a person's own programs, as a line of the shell. */
const standIns: Readonly<Record<string, string>> = {
  pass: `case "$*" in *token*) echo "$SERVICE_TOKEN";; *) echo '${JSON.stringify(threeAnswers)}';; esac`,
  nano: `sed -i 's/Let it be pinged/Let it be reached/; s/^{}$/{"theme": "dark"}/' "$1"`,
  oathtool: `exec node -e '
    const { Secret, TOTP } = require("${otpauth}")
    console.log(new TOTP({ secret: Secret.fromBase32(process.argv.at(-1)) }).generate())' -- "$@"`,
  notepad: ': > "$1"',
  npm: '[ "$1 $2" = "install --global" ]',
  ssh: ':',
  docker: ':',
  gh: '[ "$1 $2" = "secret set" ] && cat > "secret-$3"',
  // Commands of fish and PowerShell at the end of a pipe.
  source: 'cat > /dev/null',
  'Out-String': 'cat',
  'Invoke-Expression': 'cat > /dev/null',
}

/** The rules of `web`, slightly changed. */
const rules = {
  inbound: [
    {
      action: 'ACCEPT',
      protocol: 'TCP',
      ports: '80, 443',
      addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
      label: 'accept-http',
    },
  ],
  inbound_policy: 'DROP',
  outbound: [],
  outbound_policy: 'ACCEPT',
}

const cases = `
- { name: https is open, direction: inbound, protocol: tcp, port: 443, from: 198.51.100.7, expect: accept }
- { name: ssh is not, direction: inbound, protocol: tcp, port: 22, from: 198.51.100.7, expect: drop }
`

/** Desired reverse DNS of addresses. */
const names: Readonly<Record<string, string>> = {
  '192.0.2.31': 'mail.example.net',
  '192.0.2.32': 'files.example.net',
}

const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc me@laptop\n'

function filesFor({ ownerToken }: TestSandbox): Record<string, string> {
  return {
    'rules.yaml': JSON.stringify(rules),
    'rules.json': JSON.stringify(rules),
    'rules.ndjson': lines(rules.inbound),
    'volumes.ndjson': lines(['logs', 'cache'].map((label) => ({ label, region: 'us-east' }))),
    'names.ndjson': lines(['192.0.2.31', '192.0.2.32'].map((address) => ({ address, rdns: names[address] }))),
    'cases.yaml': cases,
    token: `${ownerToken}\n`,
    'token.txt': `${ownerToken}\n`,
    '.ssh/id_ed25519.pub': publicKey,
    '.config/fish/config.fish': '',
    '.config/fish/completions/other.fish': '',
  }
}

/** Writes the stand-ins to a folder, and returns its path. */
function makeStandIns(home: string): string {
  const folder = join(home, 'stand-ins')
  mkdirSync(folder)
  for (const [name, script] of Object.entries(standIns)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** Creates a home below `above`, with the environment of a person who works in the sandbox from there. */
function makeHome(above: string, sandbox: TestSandbox) {
  const cwd = mkdtempSync(join(above, 'home-'))
  for (const [path, text] of Object.entries(filesFor(sandbox))) {
    mkdirSync(join(cwd, path, '..'), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return {
    cwd,
    env: {
      HOME: cwd,
      SKYCTL_CONTEXT: 'sandbox',
      // Shared, since it has the compiled code: linking that for each example takes longer than most examples.
      XDG_CACHE_HOME: join(above, '.cache'),
      SKYCTL_CONFIG_DIR: join(cwd, '.config', 'skyctl'),
      SKYCTL_STATE_DIR: join(cwd, '.local', 'state', 'skyctl'),
      PROFILE: join(cwd, 'profile.ps1'),
      // For the preparations of an example, not for the example itself.
      SERVICE: sandbox.baseUrl,
      SERVICE_TOKEN: sandbox.ownerToken,
    },
  }
}
