/** Synonyms that users know from other programs, with their commands (interface.md, help). */
import { expect, test } from 'vitest'
import { words } from '../../src/commands/help/words'

test('Every word leads to commands, topics or flags, without duplicates', () => {
  const lines = Object.entries(words)
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.filter(([, lines = []]) => lines.length === 0)).toEqual([])
  for (const [, all = []] of lines) expect(new Set(all).size).toBe(all.length)
  for (const [word, all = []] of lines)
    for (const line of all) expect([word, line]).toEqual([word, expect.stringMatching(/^[a-z-]/)])
})

test('A word for several commands leads to each of them, the most likely first', () => {
  expect(words).toMatchObject({
    servers: ['overview', 'ips list', 'volumes attach'],
    'ssh-key': ['profile sshkeys list', 'profile sshkeys add'],
    '2fa': ['profile tfa setup', 'profile tfa disable'],
    whoami: ['profile view', 'auth status'],
    keys: ['profile sshkeys list', 'profile sshkeys add', 'tokens list'],
    revoke: ['tokens revoke', 'profile apps revoke', 'profile devices revoke'],
    upgrade: ['version', '--version'],
  })
})
