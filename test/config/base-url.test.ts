/** Base URLs: https, and http to this machine only (interface.md, Environment and contexts). */
import { describe, expect, test } from 'vitest'
import { parseBaseUrl, shownBaseUrl } from '../../src/config/base-url'
import { Problem } from '../../src/errors'

function errorOf(text: string): Problem {
  try {
    parseBaseUrl(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('A base URL', () => {
  test.each([
    ['https://api.example.net/v4', 'https://api.example.net/v4'],
    ['HTTPS://API.example.net:443/v4//', 'https://api.example.net/v4'],
    ['https://api.example.net:8443', 'https://api.example.net:8443'],
    ['https://[2001:db8::1]/v4', 'https://[2001:db8::1]/v4'],
    ['http://localhost:8080/v4', 'http://localhost:8080/v4'],
    ['http://127.9.9.9/v4', 'http://127.9.9.9/v4'],
    ['http://[::1]:1/v4', 'http://[::1]:1/v4'],
  ])('is normalized: %s is %s', (text, url) => {
    expect(parseBaseUrl(text)).toBe(url)
  })

  test.each([
    '',
    'api.example.net/v4',
    '/v4',
    'https://',
    'https:api.example.net',
    'ftp://api.example.net/v4',
    'file:///etc/passwd',
    'https://api.example.net/v4\n',
    ' https://api.example.net/v4',
    'https://api.exa\tmple.net/v4',
    'https:\\\\api.example.net',
  ])('must be an absolute https URL, not %j', (text) => {
    const message = expect.stringContaining('must be an absolute URL')
    expect(errorOf(text)).toMatchObject({ code: 'usage', message })
  })

  test.each([
    'http://api.example.net/v4',
    'http://127.0.0.1.example.net/v4',
    'http://localhost.example.net',
    'http://0.0.0.0/v4',
    'http://[::2]/v4',
    'http://128.0.0.1/v4',
  ])('to another machine needs https: %s', (text) => {
    expect(errorOf(text)).toMatchObject({ code: 'usage', message: expect.stringContaining('https://') })
  })

  test.each([
    'https://ada:hunter2@api.example.net/v4',
    'https://hunter2@api.example.net/v4',
    'https://@api.example.net/v4',
    'https://api.example.net/v4?token=hunter2',
    'https://api.example.net/v4?',
    'https://api.example.net/v4#hunter2',
  ])('with credentials, query or fragment is rejected without quoting them: %s', (text) => {
    expect(errorOf(text)).toMatchObject({ code: 'usage', message: expect.not.stringContaining('hunter2') })
  })
})

test.each([
  ['https://ada:hun/ter2@hunter2@api.example.net/v4', '[redacted]@api.example.net/v4'],
  ['ada:hunter2@api.example.net', '[redacted]@api.example.net'],
  ['https://api.example.net/v4', 'https://api.example.net/v4'],
])('A base URL from the file is shown without credentials: %s as %s', (text, shown) => {
  expect(shownBaseUrl(text)).toBe(shown)
})
