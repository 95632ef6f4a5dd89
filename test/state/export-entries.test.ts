/** Entries of an export, without a service: fields that a file can set, and fields that are left out (state.md). */
import { describe, expect, test } from 'vitest'
import { exportedOf } from '../../src/account-file/export-entries'
import { kinds } from '../../src/account-file/kinds'
import { type Answers, recordsOf } from '../support/pure-plans'

/** Returns the entries, each with its path and comment, and the sentences about omitted parts. */
function exported(answers: Answers) {
  const left: string[] = []
  const records = new Map(
    kinds.flatMap((kind) => {
      const all = answers[kind.key]
      return all ? [[kind, recordsOf(kind.key, all)]] : []
    }),
  )
  const entries = [...exportedOf({ records, defaults: new Map() }, (sentence) => left.push(sentence))]
  return { entries: entries.map(({ path, entry, comment }) => [path.join('.'), entry, comment]), left }
}

const volume = { id: 7, label: 'data', size: 20, region: 'us-east', compute_id: null, compute_label: null, tags: [] }
const entry = { size: 20, region: 'us-east', compute_id: null, tags: [] }
const address = { address: '192.0.2.11', type: 'ipv4', rdns: 'a.example.net', region: 'us-east', compute_id: 1001 }
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const person = {
  ...{ username: 'ada', uid: 7, email: 'ada@example.net', email_notifications: true, timezone: 'UTC' },
  ...{ shell_auth_method: 'password_keys', authorized_keys: null },
}

describe('an export', () => {
  test('has the objects of each kind by name, with the fields that a file can set', () => {
    const attached = { ...volume, compute_id: 1001, compute_label: 'web-1', hardware_type: 'nvme', tags: ['b', 'a'] }
    const { username: _name, uid: _uid, ...settings } = person
    expect(
      exported({
        volumes: [
          { ...volume, label: 'b' },
          { ...attached, label: 'a' },
          { ...volume, label: 'a!' },
        ],
        sshkeys: [{ id: 3, label: 'desk', ssh_key: `${key}\n` }],
        rdns: [
          address,
          { ...address, address: '192.0.2.12', rdns: '192-0-2-12.ip.example.net', region: null, compute_id: null },
        ],
        profile: [person],
      }),
    ).toEqual({
      entries: [
        ['volumes.a', { ...entry, compute_id: 1001, tags: ['a', 'b'] }, 'id 7, nvme, attached to web-1'],
        ['volumes.a!', entry, 'id 7'],
        ['volumes.b', entry, 'id 7'],
        ['sshkeys.desk', { ssh_key: key }, 'id 3'],
        ['rdns.192.0.2.11', 'a.example.net', 'ipv4, in us-east, of compute instance 1001'],
        ['rdns.192.0.2.12', null, 'ipv4'],
        ['profile', { ...settings, authorized_keys: [] }, 'of user ada'],
      ],
      left: [],
    })
  })

  test('leaves out objects that share a label', () => {
    const labels = ['twice', 'once', 'twice']
    expect(exported({ volumes: labels.map((label) => ({ ...volume, label })) })).toEqual({
      entries: [['volumes.once', entry, 'id 7']],
      left: ['2 volumes have the label "twice"'],
    })
  })

  test('leaves out and names the fields that an answer lacks', () => {
    const { size: _size, tags: _tags, ...rest } = entry
    const lacking = 'the answer lacks its size'
    expect(exported({ volumes: [{ ...volume, size: undefined, tags: undefined }] })).toEqual({
      entries: [['volumes.data', rest, `id 7; left out: ${lacking}; left out: the answer lacks its tags`]],
      left: [`volume "data": ${lacking}`, 'volume "data": the answer lacks its tags'],
    })
    expect(exported({ volumes: [{ ...volume, size: undefined }] }).left).toEqual([`volume "data": ${lacking}`])
    expect(exported({ profile: [{ ...person, email: undefined }] }).left).toEqual([
      'profile: the answer lacks its email',
    ])
  })

  test('leaves out an object if the answer lacks or breaks its only field', () => {
    expect(exported({ rdns: [{ ...address, rdns: undefined }] })).toEqual({
      entries: [],
      left: ['address "192.0.2.11": the answer lacks its rdns'],
    })
    expect(exported({ sshkeys: [{ id: 3, label: 'desk', ssh_key: 'of\ntwo lines' }] })).toEqual({
      entries: [],
      left: ['SSH key "desk": ssh_key: Must be one key, not 2: each key has a label of its own'],
    })
  })

  test('leaves out an object whose name no file can have', () => {
    const long = 'x'.repeat(33)
    expect(exported({ volumes: [{ ...volume, label: long }] })).toEqual({
      entries: [],
      left: [`volume "${long}": Must be 1-32 characters`],
    })
    expect(exported({ rdns: [{ ...address, address: '192.0.2.0/24' }] })).toEqual({
      entries: [],
      left: ['address "192.0.2.0/24": Must be an IPv4 or IPv6 address'],
    })
  })

  test('leaves out each value that no file can have, and keeps the rest of the object', () => {
    const { username: _name, uid: _uid, email: _email, shell_auth_method: _method, ...rest } = person
    const invalid = { ...person, email: 'nobody', shell_auth_method: 'by_magic' }
    const reasons = ['email: Must be an email address', expect.stringMatching(/^shell_auth_method: Must be one of: /)]
    const { entries, left } = exported({ profile: [invalid] })
    expect(entries.map(([path, value]) => [path, value])).toEqual([['profile', { ...rest, authorized_keys: [] }]])
    expect(left.map((sentence) => sentence.replace('profile: ', ''))).toEqual(reasons)
  })
})
