/** Ports of firewall rules in JSON Schema, as `rules/ports.ts` reads them. */
import type { Json } from '../catalogue/json-schema'

export const port = { type: 'integer', minimum: 1, maximum: 65_535 }
const portNumber = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'
export const portText = { type: 'string', pattern: `^${portNumber}$` }
const portRange = `${portNumber}(-${portNumber})?`

/** A range that does not end above its start: more digits before the dash, or as many and the first other one is larger. */
const descendingRange = () => {
  const longer = [1, 2, 3, 4].map((digits) => `[0-9]{${digits + 1},}-[0-9]{${digits}}(?![0-9])`)
  const larger = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) =>
    [0, 1, 2, 3, 4].map((more) => `${digit}[0-9]{${more}}-\\1[0-${digit - 1}][0-9]{${more}}(?![0-9])`),
  )
  return `(?:^|[ ,])(?:${longer.join('|')}|([0-9]*)(?:${larger.join('|')}|-\\1(?![0-9])))`
}
export const ports: Json = {
  description: 'Ports such as 22 or "80-90, 443" (default: all)',
  anyOf: [
    port,
    { type: 'string', pattern: `^${portRange}(, ?${portRange})*$`, not: { pattern: descendingRange() } },
    { type: 'null' },
  ],
}
