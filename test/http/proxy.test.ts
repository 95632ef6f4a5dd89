/** Selection of the proxy for a service, and exemptions from it. */
import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/http/proxy'
import type { Environment } from '../../src/rules/environment'

const proxyUrl = 'http://proxy.example.net:3128'
const hrefOfProxy = async (env: Environment, service = 'https://api.example.net/v4') =>
  (await proxyFor(new URL(service), env))?.url.href

describe('The proxy', () => {
  test.for<[string, Environment, string | undefined]>([
    ['is none without variables', {}, undefined],
    ['is none if the variables are empty', { HTTPS_PROXY: '', https_proxy: '' }, undefined],
    ['is the value of HTTPS_PROXY', { HTTPS_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['is the value of https_proxy', { https_proxy: proxyUrl }, `${proxyUrl}/`],
    [
      'is the value of https_proxy if both are set',
      { https_proxy: proxyUrl, HTTPS_PROXY: 'http://other.example' },
      `${proxyUrl}/`,
    ],
    ['is the value of HTTPS_PROXY if https_proxy is empty', { https_proxy: '', HTTPS_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['is never the value of HTTP_PROXY', { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl }, undefined],
    ['uses HTTP without a scheme', { HTTPS_PROXY: 'proxy.example.net:3128' }, `${proxyUrl}/`],
    ['can use TLS', { HTTPS_PROXY: 'https://proxy.example.net' }, 'https://proxy.example.net/'],
    ['is the value of ALL_PROXY', { ALL_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['is the value of all_proxy', { all_proxy: proxyUrl, ALL_PROXY: 'http://other.example' }, `${proxyUrl}/`],
    [
      'is the value of HTTPS_PROXY rather than that of all_proxy',
      { all_proxy: 'http://other.example', HTTPS_PROXY: proxyUrl },
      `${proxyUrl}/`,
    ],
    ['is the value of ALL_PROXY if the others are empty', { https_proxy: '', ALL_PROXY: proxyUrl }, `${proxyUrl}/`],
    ['can use SOCKS5', { ALL_PROXY: 'socks5://proxy.example.net:1080' }, 'socks5://proxy.example.net:1080'],
    ['can resolve names', { HTTPS_PROXY: 'socks5h://proxy.example.net' }, 'socks5h://proxy.example.net'],
    ['can end with a slash', { HTTPS_PROXY: `${proxyUrl}/` }, `${proxyUrl}/`],
  ])('%s', async ([, env, proxy]) => {
    expect(await hrefOfProxy(env)).toBe(proxy)
  })

  test.for([
    'http://127.0.0.1:8080/v4',
    'http://api.example.net/v4',
    'https://127.0.0.1/v4',
    'https://127.9.9.9/v4',
    'https://localhost/v4',
    'https://[::1]:8443/v4',
  ])('is not used for %s', async (service) => {
    expect(await hrefOfProxy({ HTTPS_PROXY: proxyUrl }, service)).toBeUndefined()
  })

  test.for([
    'socks4://proxy.example.net',
    'socks://proxy.example.net',
    'socks5h://',
    'socks5://me:a/geheim@proxy.example.net',
    'httpsx://proxy.example.net',
    'xhttp://proxy.example.net',
    'http://',
    'http://a:b@:x',
    'http://a:1/geheim@proxy.example.net',
    'http://a:1?geheim@proxy.example.net',
    'http://a:1#geheim@proxy.example.net',
    'http://proxy.example.net//',
  ])('is rejected without quoting it if it is not a proxy URL: %s', async (HTTPS_PROXY) => {
    await expect(hrefOfProxy({ HTTPS_PROXY })).rejects.toMatchObject({
      code: 'usage',
      message: 'HTTPS_PROXY is not the URL of a proxy that skyctl supports',
      details: {
        hint: 'Write it as http://, https:// or socks5h://proxy.example.net:3128, and / ? # in a password as %2F %3F %23',
      },
    })
  })

  test.for(['all_proxy', 'ALL_PROXY', 'https_proxy', 'HTTPS_PROXY'])('is rejected by name: %s', async (variable) => {
    await expect(hrefOfProxy({ [variable]: 'socks4://proxy.example.net' })).rejects.toMatchObject({
      code: 'usage',
      message: `${variable} is not the URL of a proxy that skyctl supports`,
    })
  })
})

describe('NO_PROXY', () => {
  const isDirect = async (NO_PROXY: string, service: string) =>
    (await hrefOfProxy({ HTTPS_PROXY: proxyUrl, NO_PROXY }, service)) === undefined

  test.for([
    ['*', 'api.example.net'],
    ['other,*', 'api.example.net'],
    ['api.example.net', 'api.example.net'],
    ['API.Example.NET', 'api.example.net'],
    ['example.net', 'api.example.net'],
    ['.example.net', 'api.example.net'],
    ['.example.net', 'example.net'],
    ['*.example.net', 'api.example.net'],
    ['a b,\tapi.example.net', 'api.example.net'],
    ['api.example.net.', 'api.example.net'],
    ['api.example.net', 'api.example.net.'],
    ['.example.net.', 'api.example.net'],
    ['example.net.:443', 'api.example.net'],
    ['api.example.net:443', 'api.example.net'],
    ['api.example.net:8443', 'api.example.net:8443'],
    ['example.net:8443', 'api.example.net:8443'],
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.7'],
    ['10.0.0.0/8, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.99/24', '192.0.2.7'],
    ['0.0.0.0/0', '192.0.2.7'],
    ['192.0.2.7:443', '192.0.2.7'],
    ['2001:DB8:0::7', '[2001:db8::7]'],
    ['2001:db8::/32', '[2001:db8::7]'],
    ['[2001:db8::7]', '[2001:db8::7]'],
    ['[2001:db8::7]:8443', '[2001:db8::7]:8443'],
  ] as const)('%j exempts %s', async ([list, host]) => {
    expect(await isDirect(list, `https://${host}/v4`)).toBe(true)
  })

  test.for([
    ['', 'api.example.net'],
    [',', 'api.example.net'],
    ['*.', 'api.example.net'],
    ['.', 'api.example.net'],
    [':443', 'api.example.net'],
    ['pi.example.net', 'api.example.net'],
    ['example.ne', 'api.example.net'],
    ['api.example.net.org', 'api.example.net'],
    ['x.api.example.net', 'api.example.net'],
    ['api.example.net:8443', 'api.example.net'],
    ['api.example.net:443', 'api.example.net:8443'],
    ['api.example.net:', 'api.example.net'],
    ['x*.example.net', 'api.example.net'],
    ['192.0.2.7', 'api.example.net'],
    ['192.0.2.8', '192.0.2.7'],
    ['2.7, .2.7, 192.0.2, 192.0.2.70', '192.0.2.7'],
    ['192.0.2.0/30', '192.0.2.7'],
    ['192.0.2.0/33, 192.0.2.0/, /24, 192.0.2.0/-1', '192.0.2.7'],
    ['::/0', '192.0.2.7'],
    ['2001:db9::/32, 0.0.0.0/0', '[2001:db8::7]'],
    ['192.0.2.0/24, 0.0.0.0/0', 'api.example.net'],
    ['192.0.2.7:8443', '192.0.2.7'],
    ['[2001:db8::7]:8443', '[2001:db8::7]'],
    ['x192.0.2.7', '192.0.2.7'],
    ['192.0.2.7x', '192.0.2.7'],
    ['example.net', '192.0.2.7'],
  ] as const)('%j does not exempt %s', async ([list, host]) => {
    expect(await isDirect(list, `https://${host}/v4`)).toBe(false)
  })

  test('in lower case has precedence, unless it is empty', async () => {
    const hrefWith = (env: Environment) => hrefOfProxy({ HTTPS_PROXY: proxyUrl, ...env })
    expect(await hrefWith({ NO_PROXY: '*', no_proxy: 'other' })).toBe(`${proxyUrl}/`)
    expect(await hrefWith({ NO_PROXY: '*', no_proxy: '' })).toBeUndefined()
    expect(await hrefWith({ NO_PROXY: '', no_proxy: '*' })).toBeUndefined()
  })

  test('exempts from ALL_PROXY, too', async () => {
    expect(await hrefOfProxy({ ALL_PROXY: 'socks5://proxy.example.net', NO_PROXY: 'example.net' })).toBeUndefined()
  })
})
