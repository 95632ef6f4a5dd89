import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

/** Generated with ssh-keygen -t ed25519. */
const real = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGGfa+k3oJua5sGa8o1VxK361GI2XF3I5p3VrKIgwg9g me@example.net'

/** Key whose data has this type: the type's length, the type, and other bytes. */
function keyOf(type: string, inside = type): string {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(inside.length)
  return `${type} ${Buffer.concat([length, Buffer.from(inside), Buffer.alloc(64, 7)]).toString('base64')}`
}

const add = 'POST /profile/sshkeys'

describe('SSH key add', () => {
  test('stores label and key', async ({ service: { call } }) => {
    const { status, body } = await call(add, { body: { label: 'new', ssh_key: real } })
    expect(status).toBe(200)
    expect(body).toEqual({ id: expect.any(Number), label: 'new', ssh_key: real, created: '2026-01-15T12:30:00' })
    expect((await call(`GET /profile/sshkeys/${body.id}`)).body).toEqual(body)
    expect((await call('GET /profile/sshkeys')).body.data).toContainEqual(body)
  })

  test.for([
    'ssh-rsa',
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'sk-ecdsa-sha2-nistp256@openssh.com',
    'sk-ssh-ed25519@openssh.com',
  ])('accepts a key of type %s, with or without a comment', async (type, { service: { call } }) => {
    for (const ssh_key of [keyOf(type), `${keyOf(type)} a comment of several words`]) {
      expect((await call(add, { body: { label: 'a', ssh_key } })).status).toBe(200)
    }
  })

  test('accepts an ssh-dss key with a warning', async ({ service: { call } }) => {
    const { status, body } = await call(add, { body: { label: 'old', ssh_key: keyOf('ssh-dss') } })
    expect(status).toBe(299)
    expect(body).toMatchObject({
      label: 'old',
      warnings: [{ title: expect.stringContaining('DSA'), details: expect.stringContaining('ssh-ed25519') }],
    })
    expect((await call(`GET /profile/sshkeys/${body.id}`)).status).toBe(200)
  })

  test.for([
    '',
    'x',
    'ssh-ed25519',
    'ssh-ed25519 ',
    'ssh-ed25519 AAAA',
    'ssh-ed25519 !!!!',
    `ssh-rsa ${real.split(' ')[1]}`,
    keyOf('ssh-ed25519', 'ssh-rsa'),
    keyOf('ssh-unknown'),
    ` ${real}`,
    `${real}\n`,
    `${real}\n${real}`,
    `command="id" ${real}`,
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU=\n-----END OPENSSH PRIVATE KEY-----\n',
    'PuTTY-User-Key-File-3: ssh-ed25519',
    null,
    7,
  ])('refuses an invalid public key: %j', async (ssh_key, { service: { call } }) => {
    expect(await call(add, { body: { label: 'a', ssh_key } })).toMatchObject(
      refused(400, expect.any(String), 'ssh_key'),
    )
    expect((await call('GET /profile/sshkeys')).body.results).toBe(4)
  })

  test('does not repeat a private key in its answer', async ({ service: { call } }) => {
    const ssh_key = '-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----'
    const { body } = await call(add, { body: { label: 'a', ssh_key } })
    expect(body.errors).toEqual([{ field: 'ssh_key', reason: 'Must be a public key; this is a private one' }])
  })

  test.for(['a'.repeat(64), '😀'.repeat(64), ''])(
    'accepts a label of at most 64 characters: %s',
    async (label, { service: { call } }) => {
      expect((await call(add, { body: { label, ssh_key: real } })).body.label).toBe(label)
    },
  )

  test.for(['a'.repeat(65), '😀'.repeat(65), null, 1, undefined])(
    'refuses the label %j',
    async (label, { service: { call } }) => {
      expect(await call(add, { body: { label, ssh_key: real } })).toMatchObject(
        refused(400, expect.any(String), 'label'),
      )
    },
  )
})

describe('SSH keys', () => {
  test('are listed only for their own user', async ({ service: { call, world } }) => {
    const labels = async (token: string) =>
      (await call('GET /profile/sshkeys', { token })).body.data.map(({ label }: { label: string }) => label)
    expect(await labels(world.token('*'))).toEqual(['laptop', 'desktop', 'office', 'laptop-again'])
    expect(await labels(world.token('*', 2))).toEqual(['restricted'])
  })

  test('can change only their label', async ({ service: { call } }) => {
    const { body: before } = await call('GET /profile/sshkeys/1')
    expect((await call('PUT /profile/sshkeys/1', { body: { label: 'new' } })).body).toEqual({ ...before, label: 'new' })
    const { status, body } = await call('PUT /profile/sshkeys/1', { body: { label: 'new', ssh_key: real } })
    expect({ status, body }).toEqual({ status: 200, body: { ...before, label: 'new' } })
    expect(await call('PUT /profile/sshkeys/1')).toMatchObject(refused(400, 'label is required', 'label'))
    expect((await call('PUT /profile/sshkeys/1', { body: { label: 'a'.repeat(65) } })).status).toBe(400)
  })

  test('are not found after they are deleted', async ({ service: { call } }) => {
    expect((await call('DELETE /profile/sshkeys/1')).body).toEqual({})
    expect(await call('GET /profile/sshkeys/1')).toMatchObject(refused(404, 'Not found'))
    expect(await call('DELETE /profile/sshkeys/1')).toMatchObject(refused(404, 'Not found'))
  })
})
