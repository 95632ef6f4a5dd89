/** Reasons for missing answers, and whether another attempt may help (reliability.md, Faults). */
import { describe, expect, test } from 'vitest'
import { OutOfTime } from '../../src/http/deadline'
import { authorityHint, ProxyError, toNetworkError } from '../../src/http/network-errors'

const host = 'api.example.net'
const network = 'Check the base URL and your network'
const later = 'Try again later, or check your network'
const authority = authorityHint(process.versions)
const renew = 'Ask the operator of the service to renew it'
const proxy = { url: new URL('http://proxy:3128'), variable: 'HTTPS_PROXY' }
const coded = (code: unknown, message = 'x') => Object.assign(new Error(message), { code })

describe('Another attempt may help after', () => {
  test.for([
    ['ENOTFOUND', `the host name ${host} cannot be resolved`, network],
    ['EAI_AGAIN', `the host name ${host} cannot be resolved`, network],
    ['ECONNREFUSED', `${host} refuses the connection`, network],
    ['EHOSTUNREACH', `${host} cannot be reached`, network],
    ['ENETUNREACH', `${host} cannot be reached`, network],
    ['EADDRNOTAVAIL', `${host} cannot be reached`, network],
    ['ETIMEDOUT', `${host} does not answer`, later],
    ['ABORT_ERR', `${host} did not accept the connection in time`, later],
    ['UND_ERR_CONNECT_TIMEOUT', `${host} did not accept the connection in time`, later],
    ['UND_ERR_HEADERS_TIMEOUT', `${host} did not answer in time`, later],
    ['UND_ERR_BODY_TIMEOUT', `${host} stopped in the middle of its answer`, later],
    ['ECONNRESET', `the connection to ${host} broke`, later],
  ] as const)('%s', ([code, reason, hint]) => {
    expect(toNetworkError(coded(code), host)).toEqual({ reason, hint })
  })
})

describe('Another attempt does not help after', () => {
  test.for([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed', authority],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'is signed by an authority that is not trusted', authority],
    ['UNABLE_TO_GET_ISSUER_CERT', 'is signed by an authority that is not known', authority],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'is signed by an authority that is not known', authority],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is signed by an authority that is not known', authority],
    ['CERT_HAS_EXPIRED', 'has expired', renew],
    ['CERT_REVOKED', 'is revoked', renew],
    ['CERT_NOT_YET_VALID', 'is not valid yet', 'Check the clock of this machine'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name', network],
  ] as const)('%s', ([code, reason, hint]) => {
    expect(toNetworkError(coded(code), host)).toEqual({
      reason: `the certificate of ${host} ${reason}`,
      hint,
      lasting: true,
    })
  })

  test.for(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])('%s', (code) => {
    expect(toNetworkError(coded(code), host)).toEqual({
      reason: `${host} does not speak TLS as expected`,
      hint: 'Check the base URL: the service may use plain HTTP there',
      lasting: true,
    })
  })

  test('the end of the time limit of the command, until it is started again', () => {
    const reason = `${host} did not answer completely within 60 s`
    const hint = 'Try again later, or wait longer with --timeout'
    expect(toNetworkError(new OutOfTime('60 s'), host)).toEqual({ reason, hint, lasting: true, passes: true })
  })

  test('TOO_LARGE, without a hint, since a smaller page may fit', () => {
    expect(toNetworkError(coded('TOO_LARGE'), host)).toEqual({
      reason: 'the answer is over 32 MiB',
      lasting: true,
      code: 'too_large',
    })
  })

  test.for(['EMFILE', 'ENFILE'])('%s, a limit of this machine, also on the way to a proxy', (code) => {
    const problem = (to: string) => ({
      reason: `cannot connect to ${to}: too many open files`,
      hint: 'Raise the limit, for example with ulimit -n 1024',
      lasting: true,
      code: 'local',
    })
    expect(toNetworkError(coded(code), host)).toEqual(problem(host))
    const error = new ProxyError(proxy, { cause: coded(code) })
    expect(toNetworkError(error, host)).toEqual(problem('the proxy proxy:3128'))
  })

  test('UND_ERR_HEADERS_OVERFLOW, which is not from the API', () => {
    const reason = 'the headers of the answer are over 16 KiB'
    const code = 'not_the_api'
    expect(toNetworkError(coded('UND_ERR_HEADERS_OVERFLOW'), host)).toEqual({
      reason,
      hint: network,
      lasting: true,
      code,
    })
  })

  test('an error of the HTTP parser, except at the end of the connection', () => {
    const refused = (message: string) =>
      toNetworkError(Object.assign(coded('HPE_X', message), { name: 'HTTPParserError' }), host)
    const foreign = { reason: 'the answer is not HTTP', hint: network, lasting: true, code: 'not_the_api' }
    expect(refused('Invalid character in Content-Length')).toEqual(foreign)
    expect(refused('Response does not match EOF')).toEqual({ reason: `the connection to ${host} broke`, hint: later })
  })
})

describe('The hint about an unknown authority', () => {
  const own = 'If you trust its authority, name its file in NODE_EXTRA_CA_CERTS'
  const file = `${own}, or the file of the system's authorities in SSL_CERT_FILE`
  const system = `${own}, or set NODE_USE_SYSTEM_CA=1 for those of the system`
  test.for([
    [{ node: '20.20.2' }, file],
    [{ node: '22.18.0' }, file],
    [{ node: '22.19.0' }, system],
    [{ node: '24.5.0' }, file],
    [{ node: '24.6.0' }, system],
    [{ node: '26.0.0' }, system],
    [{ node: '24.6.0', bun: '1.4.5' }, own],
  ] as const)('names what works: %j', ([versions, hint]) => {
    expect(authorityHint(versions)).toBe(hint)
  })
})

test('An error without a code has the reason of its cause', () => {
  const cause = new Error('x', { cause: coded('ECONNREFUSED') })
  expect(toNetworkError(coded(7, 'y'), host).reason).toBe(`the connection to ${host} broke`)
  expect(toNetworkError(Object.assign(new Error('z', { cause }), { code: 7 }), host).reason).toBe(
    `${host} refuses the connection`,
  )
  expect(toNetworkError(new Error('x', { cause: 'ENOTFOUND' }), host).reason).toBe(`the connection to ${host} broke`)
  expect(toNetworkError(new Error('x', { cause: { code: 'ENOTFOUND' } }), host).reason).toBe(
    `the connection to ${host} broke`,
  )
})

describe('A proxy', () => {
  const hint = 'Check HTTPS_PROXY, or name the service in NO_PROXY'

  test('that cannot be reached is named instead of the service', () => {
    const error = new ProxyError(proxy, { cause: coded('ECONNREFUSED') })
    expect(toNetworkError(error, host)).toEqual({ reason: 'the proxy proxy:3128 refuses the connection', hint })
  })

  test.for([true, false])('that refuses the connection fails permanently: %s', (lasting) => {
    const reason = `the proxy proxy:3128 does not connect to ${host}: it answers 403`
    const error = new ProxyError(proxy, { answer: 'it answers 403', lasting })
    expect(toNetworkError(error, host)).toEqual({ reason, hint, lasting })
  })

  test.for([
    ['http://proxy:3128', 'HTTPS_PROXY', 'wants a user and a password', 'http://USER:PASSWORD@proxy:3128'],
    [
      'http://me:geheim@proxy:3128',
      'https_proxy',
      'rejects the user and the password',
      'http://USER:PASSWORD@proxy:3128',
    ],
    ['socks5h://proxy:1080', 'ALL_PROXY', 'wants a user and a password', 'socks5h://USER:PASSWORD@proxy:1080'],
  ] as const)('%s of %s %s', ([url, variable, reason, form]) => {
    const error = new ProxyError({ url: new URL(url), variable }, 'credentials')
    const place = new URL(url).host
    expect(toNetworkError(error, host)).toEqual({
      reason: `the proxy ${place} ${reason}`,
      hint: `Set ${variable} to ${form}`,
      lasting: true,
    })
  })
})
