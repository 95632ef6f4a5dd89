/** Redaction of requests and answers (reliability.md, Secrets). */
import { describe, expect, test } from 'vitest'
import { refuseUnverified } from '../../src/config/base-url'
import { Redactor } from '../../src/http/redact'
import { KnownSecrets } from '../../src/rules/secrets'

const redactor = () => {
  const secrets = new KnownSecrets()
  secrets.learn('hunter2hunter2')
  return new Redactor(secrets)
}

describe('The path', () => {
  test.for([
    ['/volumes', '/volumes'],
    ['/volumes?', '/volumes?'],
    ['/volumes?page=2&label=a', '/volumes?page=2&label=a'],
    ['/volumes?token=geheim&page=2', '/volumes?token=[redacted]&page=2'],
    ['/volumes?page=2&api_token=a=b=c', '/volumes?page=2&api_token=[redacted]'],
    ['/volumes?token', '/volumes?token'],
    ['/volumes?token=', '/volumes?token=[redacted]'],
    ['/volumes?a=1?token=x', '/volumes?a=1?token=x'],
    ['/volumes?a?&password=x', '/volumes?a?&password=[redacted]'],
    ['/hunter2hunter2?q=hunter2hunter2', '/[redacted]?q=[redacted]'],
  ] as const)('%s is shown as %s', ([path, redacted]) => {
    expect(redactor().path(path)).toBe(redacted)
  })
})

describe('The header', () => {
  test.for(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])('%s is never shown', (name) => {
    expect(redactor().header(name, 'a')).toBe('[redacted]')
  })

  test('x-echo is shown without known secrets', () => {
    expect(redactor().header('x-echo', 'a hunter2hunter2 b')).toBe('a [redacted] b')
  })
})

describe('A body', () => {
  const hidden = (name: string) => ({ [name]: '[redacted]' })

  test.for<[unknown, unknown]>([
    [
      { label: 'a', size: 1 },
      { label: 'a', size: 1 },
    ],
    [
      { token: 'a', access_token: { a: 1 } },
      { token: '[redacted]', access_token: '[redacted]' },
    ],
    [
      { a: [{ password: 'x' }, [{ tfa_code: 123 }]] },
      { a: [{ password: '[redacted]' }, [{ tfa_code: '[redacted]' }]] },
    ],
    [
      { token: null, ssh_key: null },
      { token: null, ssh_key: null },
    ],
    [
      { ssh_key: 'a', authorized_keys: ['b'], phone_number: '1', verified_phone_number: '2' },
      {
        ssh_key: '[redacted]',
        authorized_keys: '[redacted]',
        phone_number: '[redacted]',
        verified_phone_number: '[redacted]',
      },
    ],
    [
      { ssh_keys: 'a', my_ssh_key: 'b' },
      { ssh_keys: 'a', my_ssh_key: 'b' },
    ],
    [
      { id: 1, secret: 'a', scratch: 'a', otp_code: 'a', response: 'a', private_key: 'a' },
      Object.assign({ id: 1 }, ...['secret', 'scratch', 'otp_code', 'response', 'private_key'].map(hidden)),
    ],
    ['hunter2hunter2', '[redacted]'],
    [null, null],
  ])('%j is shown as %j', async ([body, redacted]) => {
    expect(JSON.parse(await redactor().body(JSON.stringify(body)))).toEqual(redacted)
  })

  test('that is not JSON is not shown', async () => {
    expect(await redactor().body('<p>geheim</p>')).toBe('(13 characters that are not JSON)')
  })

  test('has secrets that stay redacted in later texts, but not in results', async () => {
    const secrets = new KnownSecrets()
    const one = new Redactor(secrets)
    await one.body('{"token":"geheimgeheim","phone_number":"+491512345678"}')
    expect(one.text('geheimgeheim, +491512345678')).toBe('[redacted], [redacted]')
    // Results may show it: it is from the service.
    expect(secrets.inMessage('geheimgeheim, +491512345678')).toBe('geheimgeheim, +491512345678')
  })

  test('of a request adds its secrets, but not its personal data, to those of all messages', async () => {
    const secrets = new KnownSecrets()
    await new Redactor(secrets).notice('{"a":[{"otp_code":123456,"phone_number":"+491512345678"}]}')
    expect(secrets.inMessage('123456, +491512345678')).toBe('[redacted], +491512345678')
  })
})

describe('NODE_TLS_REJECT_UNAUTHORIZED', () => {
  test.for([
    ['https://127.0.0.1:8443/v4', '0'],
    ['https://localhost/v4', '0'],
    ['https://api.example.net/v4', '1'],
    ['https://api.example.net/v4', undefined],
  ] as const)('is accepted for %s if it is %s', ([url, verify]) => {
    expect(() => refuseUnverified(url, { NODE_TLS_REJECT_UNAUTHORIZED: verify })).not.toThrow()
  })

  test('is refused for a remote service if it is 0', () => {
    expect(() => refuseUnverified('https://api.example.net:8443/v4', { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      expect.objectContaining({
        code: 'usage',
        message:
          'NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to any server that claims to be api.example.net:8443',
        details: { hint: 'Unset it, and name the file of the certificate authority in NODE_EXTRA_CA_CERTS' },
      }),
    )
  })
})
