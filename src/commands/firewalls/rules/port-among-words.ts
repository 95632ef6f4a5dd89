/** Finds a port among the words of `rules add web tcp 22`: protocol and port are flags. */
import type { Flags } from '../../../engine/command'
import { listFlag } from '../../../engine/flag-values'
import { Problem } from '../../../errors'
import { shellWord } from '../../../rules/texts'
import { isDirection } from './direction-arguments'

/** Returns the words of a line with flags for its traffic, also for `allow web inbound 22`; undefined without a port. */
export function trafficMeant([firewall = '', ...others]: readonly string[]): string[] | undefined {
  const direction = others.find(isDirection)
  // Behind a direction, a long number is the id of another firewall.
  const port = others.find((word) => (direction ? /^\d{1,3}$/ : /^\d[\d,-]*$/).test(word))
  if (port === undefined) return undefined
  const protocol = others.find((word) => /^(tcp|udp)$/i.test(word)) ?? 'tcp'
  return [firewall, direction ?? 'inbound', '--protocol', protocol, '--port', port]
}

/** Throws for a port in the place of the direction, with the line in which it is a flag. */
export function expectNoPort(words: readonly string[], flags: Flags): void {
  const traffic = trafficMeant(words)
  if (!traffic) return
  const from = listFlag(flags, 'from')?.join(',') ?? '203.0.113.0/24'
  const line = [...traffic, '--action', 'accept', '--from', from].map(shellWord).join(' ')
  throw new Problem('usage', `"${traffic.at(-1)}" is not a direction: protocol and port are flags`, {
    hint: `For example: skyctl firewalls rules add ${line}`,
  })
}
