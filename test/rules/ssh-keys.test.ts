import { expect, test } from 'vitest'
import { isPrivateKey, keyLines, sshKeyFault, sshKeyType } from '../../src/rules/ssh-keys'
import { sshKeyTypes } from '../support/ssh-keys'

/** RFC 4251, section 5: a text with its length in four bytes before it. */
function dataOf(type: string, rest = '\0\0\0\x01x') {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(type.length)
  return Buffer.concat([length, Buffer.from(type), Buffer.from(rest)]).toString('base64')
}

test.for(sshKeyTypes)('a key of type %s is taken', (type) => {
  expect(sshKeyFault(`${type} ${dataOf(type)} me@home`)).toBeUndefined()
  expect(sshKeyFault(`${type} ${dataOf(type)}`)).toBeUndefined()
  expect(sshKeyType(`${type} ${dataOf(type)} me@home`)).toBe(type)
})

test.for([
  ['no data', 'ssh-rsa'],
  ['data of another type', `ssh-rsa ${dataOf('ssh-ed25519')}`],
  ['data that ends after its type', `ssh-rsa ${dataOf('ssh-rsa', '')}`],
  ['data that ends in its type', `ssh-rsa ${Buffer.from('\0\0\0\x09ssh-rsa').toString('base64')}`],
  ['four bytes', 'ssh-rsa AAAAAA=='],
  ['three bytes', 'ssh-rsa AAAA'],
  ['characters that are not of base64', `ssh-rsa !${dataOf('ssh-rsa')}`],
  ['characters that are not of base64 at the end', `ssh-rsa ${dataOf('ssh-rsa')}!`],
  ['padding in between', `ssh-rsa ===${dataOf('ssh-rsa')}`],
] as const)('a key with %s is not', ([, key]) => {
  expect(sshKeyFault(key)).toBe('Must hold the data of a key after ssh-rsa')
})

test('a key of another type is not taken, and all types are named', () => {
  expect(sshKeyFault(`ssh-xyz ${dataOf('ssh-xyz')}`)).toBe(`Must begin with one of: ${sshKeyTypes.join(', ')}`)
})

test('a key is one line', () => {
  expect(sshKeyFault(`ssh-rsa ${dataOf('ssh-rsa')}\n`)).toBe('Must be one line')
  expect(sshKeyFault(`ssh-rsa ${dataOf('ssh-rsa')}\rx`)).toBe('Must be one line')
})

test.for([
  '-----BEGIN PRIVATE KEY-----\nx',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nx',
  'my key:\n-----BEGIN RSA PRIVATE KEY-----',
  'PuTTY-User-Key-File-3: ssh-ed25519',
  'SSH PRIVATE KEY FILE FORMAT 1.1',
])('%j is a private key, and is said to be one', (text) => {
  expect(isPrivateKey(text)).toBe(true)
  expect(sshKeyFault(text)).toBe('Must be a public key; this is a private one')
})

test('a public key is no private one, nor is a word about PuTTY', () => {
  expect(isPrivateKey('-----BEGIN PUBLIC KEY-----')).toBe(false)
  expect(isPrivateKey('-----BEGIN private PRIVATE KEY-----')).toBe(false)
  expect(isPrivateKey('a PuTTY-User-Key-File')).toBe(false)
})

test('the keys of a file are its lines without comments, blank lines and the ends of lines of Windows', () => {
  expect(keyLines('# mine\n  ssh-rsa AAAA me # home \r\n\n\t\nssh-dss BBBB')).toEqual([
    'ssh-rsa AAAA me # home',
    'ssh-dss BBBB',
  ])
})
