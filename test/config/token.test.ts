/** A token as it comes from a person, a file or a pipe (RFC 6750, section 2.1). */
import { expect, test } from 'vitest'
import { parseToken } from '../../src/config/token'

const strange = 'the token holds a character that no token has (letters, digits and -._~+/= only)'

test.for(['abc', 'aB9-._~+/', 'abc=', 'abc==', 'x'.repeat(4096)])('%s is a token', (token) => {
  expect(parseToken(token)).toBe(token)
})

test.for(['abc\n', 'abc\r\n'])('one end of a line is no part of %j', (text) => {
  expect(parseToken(text)).toBe('abc')
})

test.for([
  ['', 'the token is empty'],
  ['\n', 'the token is empty'],
  ['x'.repeat(4097), 'the token is longer than 4096 characters'],
  ['a\nb', strange],
  ['abc\n\n', strange],
  ['\nabc', strange],
  [' abc', strange],
  ['a=b', strange],
  ['=', strange],
  ['tökén', strange],
  [
    '-----BEGIN OPENSSH PRIVATE KEY-----\nx',
    'that is a private SSH key, not a token: it was not stored and not sent anywhere',
  ],
] as const)('%j is none', ([text, why]) => {
  expect(() => parseToken(text)).toThrow(why)
})
