/** Text files from any editor: a byte order mark is accepted, and text that is not UTF-8 is not sent. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const mark = '\ufeff'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE7x6Pz0sOvqsDvrPKSsvVZWZ0lOGJN9FZHkD5kMcSxE work'
const https = '{ label: https, action: ACCEPT, protocol: TCP, ports: "443", addresses: { ipv4: [0.0.0.0/0] } }'
const rules = `inbound_policy: DROP\noutbound_policy: ACCEPT\ninbound: [${https}]\noutbound: []\n`

const inputs: readonly { line: string; text: string }[] = [
  { line: 'volumes create --body FILE', text: '{"label": "marked", "region": "us-east"}' },
  { line: 'volumes create --body FILE', text: 'label: marked\nregion: us-east\n' },
  { line: 'volumes create --body FILE', text: '{"label":"a","region":"us-east"}\n{"label":"b","region":"us-east"}\n' },
  { line: 'firewalls create --label marked --file FILE', text: rules },
  { line: 'firewalls test --file FILE --protocol tcp --port 22 --from 198.51.100.7', text: rules },
  { line: 'profile sshkeys add --label marked --file FILE', text: key },
  { line: 'profile update --authorized-keys-file FILE', text: `${key}\n` },
  { line: 'api PUT /profile/preferences --body FILE', text: '{"marked": 1}' },
]

describe.for(inputs)('$line with $text', ({ line, text }) => {
  test('reads the same with a byte order mark', async ({ skyctl, home, world }) => {
    const file = join(home, 'input')
    const dry = `${line.replace('FILE', file)} ${line.includes(' test ') ? '' : '--dry-run'} --json`
    writeFileSync(file, text)
    const plain = await skyctl(dry)
    expect(plain).toMatchObject({ exit: 0, stderr: '' })
    writeFileSync(file, mark + text)
    expect(await skyctl(dry)).toEqual(plain)
    expect(await skyctl(dry.replace(file, '-'), { stdin: mark + text })).toEqual(plain)
    expect(world.requests('POST')).toEqual([])
  })

  test('is rejected if it is not UTF-8, and nothing is sent', async ({ skyctl, home, world }) => {
    const file = join(home, 'input')
    const others = [Buffer.from(`${mark}${text}`, 'utf16le'), Buffer.from(`${text}# caf\xe9\n`, 'latin1')]
    for (const bytes of others) {
      writeFileSync(file, bytes)
      const { exit, stdout, stderr } = await skyctl(line.replace('FILE', file))
      expect({ exit, stdout, stderr }).toEqual({
        exit: 2,
        stdout: '',
        stderr: `skyctl: "${file}" is not UTF-8 text. Save it as UTF-8\n`,
      })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

test.for(['firewalls rules edit web', 'profile preferences edit'])(
  '%s: a byte order mark from the editor is not a change',
  async (line, { skyctl, home, world }) => {
    const editor = join(home, 'editor.sh')
    writeFileSync(editor, `#!/bin/sh\ncp "$1" ${home}/copy\nprintf '\\357\\273\\277' | cat - ${home}/copy > "$1"\n`, {
      mode: 0o755,
    })
    const { exit, stderr } = await skyctl(`${line} --yes`, {
      env: { EDITOR: editor, VISUAL: undefined },
    })
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect(readFileSync(join(home, 'copy'), 'utf8')).not.toBe('')
    expect(world.requests('PUT')).toEqual([])
  },
)

test('a file is not read beyond its size limit', async ({ skyctl, home, world }) => {
  const file = join(home, 'input')
  writeFileSync(file, '')
  truncateSync(file, 2 ** 40)
  const { exit, stderr } = await skyctl(`volumes create --body ${file}`)
  expect({ exit, stderr }).toEqual({ exit: 12, stderr: `skyctl: "${file}" is too large: over 4 MiB\n` })
  expect(world.requests()).toEqual([])
})
