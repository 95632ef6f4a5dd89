/** Finds flags by the form of a word, which can only be the value of one. */
import { addressFamily } from '../../rules/address-syntax'
import { parseDuration, shortDuration } from '../../rules/durations'
import { portsByName } from '../../rules/ports'

/** Returns the flag for a port, also with its protocol, as in `22/tcp` and `tcp/22`, for an address, a time or a URL. */
export function formFlags(word: string): string[] {
  const named = portsByName[word.toLowerCase()]
  if (named !== undefined) return ['--port', String(named)]
  if (addressFamily(word.replace(/\/\d+$/, '')) !== undefined) return ['--from', word]
  if (/^https?:\/\/[^@]+$/.test(word)) return ['--base-url', word]
  const time = parseDuration(word) ? word : shortDuration(word)
  if (time !== undefined) return ['--for', time]
  const [, protocol, ports, after] = /^(?:(tcp|udp)\/)?(\d[\d,-]*)(?:\/(tcp|udp))?$/i.exec(word) ?? []
  const name = protocol ?? after
  return ports === undefined ? [] : ['--port', ports, ...(name === undefined ? [] : ['--protocol', name])]
}
