/** The lines of jq in docs/coming-from.md translate what other tools print. test/guides.test.ts runs the commands behind them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { blocksOf } from './support/page-examples'
import { test } from './support/skyctl'

const page = readFileSync(join(import.meta.dirname, '../docs/coming-from.md'), 'utf8')
const scripts = blocksOf(page).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))

/** Runs the block that writes a file, without its last line, which is of skyctl, and returns the result. */
async function translated(input: string, home: string): Promise<unknown> {
  const script = scripts.find((text) => text.startsWith(`cat > ${input}`)) ?? ''
  await promisify(execFile)('bash', ['-ec', script.replace(/^skyctl .*\n/m, '')], { cwd: home })
  const [, output = ''] = / > (\S+)\nskyctl /.exec(script) ?? []
  return JSON.parse(readFileSync(join(home, output), 'utf8'))
}

const anywhere = ['0.0.0.0/0', '::/0']
const ssh = { action: 'accept', protocol: 'tcp', ports: '22', addresses: ['198.51.100.0/24'] }
const ownSsh = {
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: '22',
  label: 'ssh',
  addresses: { ipv4: ['198.51.100.0/24'] },
}
const ownRules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [ownSsh], outbound: [] }

describe('a file of another tool becomes one of skyctl', () => {
  test.for([
    [
      'hcloud.json',
      {
        inbound_policy: 'drop',
        outbound_policy: 'accept',
        inbound: [
          { ...ssh, description: 'ssh' },
          { action: 'accept', protocol: 'icmp', addresses: anywhere },
        ],
        outbound: [],
      },
    ],
    [
      'doctl.json',
      {
        inbound_policy: 'drop',
        outbound_policy: 'drop',
        inbound: [ssh],
        outbound: [{ action: 'accept', protocol: 'udp', addresses: anywhere }],
      },
    ],
    ['linode-cli.json', ownRules],
    [
      'terraform.json',
      {
        volumes: { archive: { size: 20, region: 'us-east', tags: ['web'] } },
        firewalls: { edge: { rules: ownRules } },
      },
    ],
  ] as const)('%s', async ([input, expected], { home }) => {
    expect(await translated(input, home)).toEqual(expected)
  })
})
