/** Plans of reverse DNS (state.md, The file; gaps.md, IPv4 default rdns). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const address = { address: '192.0.2.11', type: 'ipv4', public: true, compute_id: 1001, region: 'us-east' }
const accountWith = (rdns: string | null, more: object = {}) => ({ rdns: [{ ...address, ...more, rdns }] })
const fileWith = (name: string | null, of = '192.0.2.11') => JSON.stringify({ rdns: { [of]: name } })
const defaultName = '192-0-2-11.ip.example.net'

describe('the reverse DNS name of an address', () => {
  test.for<[present: string | null, name: string | null]>([
    ['www.example.net', 'www.example.net'],
    ['www.example.net', 'WWW.Example.net'],
    [defaultName, null],
    [null, null],
  ])('stays unchanged: %s, in the file %s', async ([present, name]) => {
    expect(await stepsOf(fileWith(name), accountWith(present))).toEqual([])
  })

  test.for<[present: string | null, name: string | null, line: string]>([
    ['a.example.net', 'b.example.net', 'rdns: a.example.net -> b.example.net'],
    ['a.example.net', null, "rdns: a.example.net -> the service's own"],
    [defaultName, 'b.example.net', "rdns: the service's own -> b.example.net"],
  ])('changes: %s -> %s', async ([present, name, line]) => {
    expect(await stepsOf(fileWith(name), accountWith(present))).toEqual([['ips rdns', '192.0.2.11', { rdns: name }]])
    expect(await linesOf(fileWith(name), accountWith(present))).toEqual([line])
    const [object] = (await planOf(fileWith(name), accountWith(present))).objects
    expect(object?.steps[0]?.replaced).toEqual({ rdns: present })
  })

  test('is found by any spelling of the address', async () => {
    const account = accountWith('a.example.net', { address: '2001:db8::7', type: 'ipv6' })
    expect(await stepsOf(fileWith('a.example.net', '2001:0DB8:0:0:0:0:0:7'), account)).toEqual([])
    const odd = accountWith('a.example.net', { address: '2001:0DB8:0:0:0:0:0:7', type: 'ipv6' })
    expect(await stepsOf(fileWith('a.example.net', '2001:db8::7'), odd)).toEqual([])
  })

  test.for<[what: string, of: string, name: string | null, cause: string, message: string]>([
    ['an unknown address', '198.51.100.1', 'a.example.net', 'not_found', 'The account has no such public address'],
    ['a private address', '192.168.128.11', 'a.example.net', 'refused', 'A private address has no reverse DNS'],
    ['a private address by default', '10.0.0.9', null, 'refused', 'A private address has no reverse DNS'],
    [
      'a name that is not a domain name',
      '192.0.2.11',
      'mail',
      'usage',
      '"mail" is not a domain name. Write it in full, as in mail.example.net',
    ],
  ])('is rejected for %s', async ([, of, name, cause, message]) => {
    expect(await refusalsOf(fileWith(name, of), accountWith(null))).toEqual([
      ['a.yaml:1', cause, `rdns.${of}: ${message}`],
    ])
  })
})
