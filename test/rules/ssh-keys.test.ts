import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isPrivateKey } from '../../src/rules/secrets'
import { keyLines, keyTextFault, rsaBits, sshKeyData, sshKeyFault, sshKeyType } from '../../src/rules/ssh-keys'
import { needs } from '../support/shells'
import { sshKeyTypes } from '../support/ssh-key-types'
import { temporaryFolder } from '../support/temporary-folder'

/** Encodes a type and data: a text with its length in four bytes before it (RFC 4251, section 5). */
function dataOf(type: string, rest = '\0\0\0\x01x') {
  return Buffer.concat([encoded(type), Buffer.from(rest)]).toString('base64')
}

test.for(sshKeyTypes)('A key is valid with type %s', (type) => {
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
  ['characters outside base64', `ssh-rsa !${dataOf('ssh-rsa')}`],
  ['characters outside base64 at the end', `ssh-rsa ${dataOf('ssh-rsa')}!`],
  ['padding in between', `ssh-rsa ===${dataOf('ssh-rsa')}`],
] as const)('A key is invalid with %s', ([, key]) => {
  expect(sshKeyFault(key)).toBe('Must hold the data of a key after ssh-rsa')
})

test('A key of another type is rejected with a list of all types', () => {
  expect(sshKeyFault(`ssh-xyz ${dataOf('ssh-xyz')}`)).toBe(`Must begin with one of: ${sshKeyTypes.join(', ')}`)
})

test('A key is one line', () => {
  expect(sshKeyFault(`ssh-rsa ${dataOf('ssh-rsa')}\n`)).toBe('Must be one line')
  expect(sshKeyFault(`ssh-rsa ${dataOf('ssh-rsa')}\rx`)).toBe('Must be one line')
})

test.for([
  '-----BEGIN PRIVATE KEY-----\nx',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nx',
  'my key:\n-----BEGIN RSA PRIVATE KEY-----',
  '-----BEGIN PUBLIC KEY-----\n-----BEGIN X25519 PRIVATE KEY-----',
  'PuTTY-User-Key-File-3: ssh-ed25519',
  'x\nPuTTY-User-Key-File-2: ssh-rsa',
  'SSH PRIVATE KEY FILE FORMAT 1.1',
])('A private key is rejected as such: %j', (text) => {
  expect(isPrivateKey(text)).toBe(true)
  expect(sshKeyFault(text)).toBe('Must be a public key; this is a private one')
})

test('A public key or a word about PuTTY is not a private key', () => {
  expect(isPrivateKey('-----BEGIN PUBLIC KEY-----')).toBe(false)
  expect(isPrivateKey('-----BEGIN private PRIVATE KEY-----')).toBe(false)
  expect(isPrivateKey('a PuTTY-User-Key-File')).toBe(false)
})

test('The keys of a file are its lines without comments, blank lines and Windows line ends', () => {
  expect(keyLines('# mine\n  ssh-rsa AAAA me # home \r\n\n\t\nssh-dss BBBB')).toEqual([
    'ssh-rsa AAAA me # home',
    'ssh-dss BBBB',
  ])
})

test('A key is identified by its type and data, independent of spaces', () => {
  expect(sshKeyData('  ssh-rsa \t AAAA me@home now\n')).toBe('ssh-rsa AAAA')
  expect(sshKeyData('ssh-rsa AAAA')).toBe('ssh-rsa AAAA')
})

/** Encodes an RSA key: texts and numbers, each with its length in four bytes before it (RFC 4253, section 6.6). */
function rsaOf(...fields: (string | Buffer)[]): string {
  return `ssh-rsa ${Buffer.concat(fields.map(encoded)).toString('base64')}`
}

function encoded(field: string | Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(field.length)
  return Buffer.concat([length, Buffer.from(field)])
}

const exponent = Buffer.from([1, 0, 1])
const modulus = (...bytes: number[]) => rsaOf('ssh-rsa', exponent, Buffer.from(bytes))

test.for([
  [1024, modulus(0, 0x80, ...Array(127).fill(7))],
  [2048, modulus(0, 0xff, ...Array(255).fill(0))],
  [2047, modulus(0x7f, ...Array(255).fill(1))],
  [9, modulus(0, 0, 1, 0)],
  [1, modulus(1)],
  [0, modulus(0, 0)],
  [0, modulus()],
  [8, `${modulus(0x80)} me@home`],
  [8, rsaOf('ssh-rsa', exponent, Buffer.from([0x80]), 'more')],
] as const)('The modulus of an RSA key has %i bits: %s', ([bits, key]) => {
  expect(rsaBits(key)).toBe(bits)
})

test.for([
  ['no data', 'ssh-rsa'],
  ['an empty text', ''],
  ['another type in its data', rsaOf('ssh-dss', exponent, Buffer.from([0x80]))],
  ['no modulus', rsaOf('ssh-rsa', exponent)],
  ['a truncated length', `ssh-rsa ${Buffer.from('\0\0\0').toString('base64')}`],
  ['a truncated modulus', modulus(0x80, 1, 1).slice(0, -4)],
] as const)('A key has no modulus with %s', ([, key]) => {
  expect(rsaBits(key)).toBeUndefined()
})

test('The type of a key is the one in its data', () => {
  expect(sshKeyType(`ssh-rsa ${dataOf('ssh-dss')}`)).toBe('ssh-dss')
  expect(sshKeyType(`ssh-ed25519\t${dataOf('ssh-ed25519')}`)).toBe('ssh-ed25519')
})

test('An Ed25519 key of OpenSSL gets a line of the shell that prints it as one of OpenSSH', (context) => {
  needs('openssl', context)
  const { publicKey } = generateKeyPairSync('ed25519')
  const file = join(temporaryFolder(), 'key.pem')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  writeFileSync(file, pem)
  const [, line = ''] = keyTextFault(pem)?.split('This prints it: ') ?? []
  const printed = execFileSync('sh', ['-c', line.replace('FILE', file)], { encoding: 'utf8' })
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  expect(printed).toBe(`ssh-ed25519 ${Buffer.concat([encoded('ssh-ed25519'), encoded(point)]).toString('base64')}\n`)
})

test('A key of PuTTY gets the command that prints the public one', () => {
  expect(keyTextFault('PuTTY-User-Key-File-3: ssh-ed25519\n')).toContain('puttygen FILE -L')
})
