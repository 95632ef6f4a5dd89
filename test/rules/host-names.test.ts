/** Which hosts are this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC 6761, 6.3). */
import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../src/rules/host-names'

const hostOf = (address: string) => new URL(`http://${address}/`).hostname

describe('this machine', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.255.254', '127.1', '2130706433', '[::1]', '[0:0::0:1]'])(
    'is %s',
    (address) => {
      expect(isLoopback(hostOf(address))).toBe(true)
    },
  )

  test.each([
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    '128.0.0.1',
    '1.127.0.0',
    '[::ffff:127.0.0.1]',
    '[::2]',
    'localhost.example.net',
    'notlocalhost',
    '127.0.0.1.example.net',
    'example.net',
  ])('is not %s', (address) => {
    expect(isLoopback(hostOf(address))).toBe(false)
  })
})
