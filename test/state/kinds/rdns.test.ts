/** Plans of reverse DNS (state.md, The file; gaps.md, IPv4 default rdns). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const address = { address: '192.0.2.11', type: 'ipv4', public: true, compute_id: 1001, region: 'us-east' }
const having = (rdns: string | null, more: object = {}) => ({ rdns: [{ ...address, ...more, rdns }] })
const wanting = (name: string | null, of = '192.0.2.11') => JSON.stringify({ rdns: { [of]: name } })
const byDefault = '192-0-2-11.ip.example.net'

describe('the name of an address', () => {
  test.for<[present: string | null, wanted: string | null]>([
    ['www.example.net', 'www.example.net'],
    ['www.example.net', 'WWW.Example.net'],
    [byDefault, null],
    [null, null],
  ])('%s stays where the file says %s', async ([present, wanted]) => {
    expect(await stepsOf(wanting(wanted), having(present))).toEqual([])
  })

  test.for<[present: string | null, wanted: string | null, line: string]>([
    ['a.example.net', 'b.example.net', 'name: a.example.net -> b.example.net'],
    ['a.example.net', null, "name: a.example.net -> the service's own"],
    [byDefault, 'b.example.net', "name: the service's own -> b.example.net"],
  ])('%s changes to %s', async ([present, wanted, line]) => {
    expect(await stepsOf(wanting(wanted), having(present))).toEqual([['ips rdns', '192.0.2.11', { rdns: wanted }]])
    expect(await linesOf(wanting(wanted), having(present))).toEqual([line])
    const [object] = (await planOf(wanting(wanted), having(present))).objects
    expect(object?.steps[0]?.replaced).toEqual({ rdns: present })
  })

  test('is found by any spelling of the address', async () => {
    const there = having('a.example.net', { address: '2001:db8::7', type: 'ipv6' })
    expect(await stepsOf(wanting('a.example.net', '2001:0DB8:0:0:0:0:0:7'), there)).toEqual([])
    const odd = having('a.example.net', { address: '2001:0DB8:0:0:0:0:0:7', type: 'ipv6' })
    expect(await stepsOf(wanting('a.example.net', '2001:db8::7'), odd)).toEqual([])
  })

  test.for<[what: string, of: string, name: string | null, cause: string, message: string]>([
    ['an unknown address', '198.51.100.1', 'a.example.net', 'not_found', 'The account has no such public address'],
    ['a private address', '192.168.128.11', 'a.example.net', 'refused', 'A private address has no reverse DNS'],
    ['a private address by default', '10.0.0.9', null, 'refused', 'A private address has no reverse DNS'],
    [
      'what is no domain name',
      '192.0.2.11',
      'mail',
      'usage',
      '"mail" is not a domain name. Write it in full, as in mail.example.net',
    ],
  ])('is refused to %s', async ([, of, name, cause, message]) => {
    expect(await refusalsOf(wanting(name, of), having(null))).toEqual([['a.yaml:1', cause, `rdns.${of}: ${message}`]])
  })
})
