/** Parses arguments that name a direction and a rule: `inbound 3`. */

import { firewallResource } from '../../../account/resources/firewall'
import type { Argument, Flags } from '../../../engine/command'
import { textFlag } from '../../../engine/flag-values'
import { targetArguments } from '../../../engine/target-arguments'
import { Problem } from '../../../errors'
import { type Direction, directions } from '../../../firewall/rules'
import { didYouMean } from '../../../rules/nearest'
import { directionMeaning } from '../../../rules/protocols'

export const firewallArgument: readonly Argument[] = targetArguments(firewallResource, 'one')

export const sideArguments: readonly Argument[] = [
  ...firewallArgument,
  { name: 'direction', description: directions.join(' or '), values: directions },
]

export const manySidesArguments: readonly Argument[] = [
  ...targetArguments(firewallResource, 'many').map(({ many: _many, ...argument }) => argument),
  {
    name: 'direction',
    description: `${directions.join(' or ')}; it may also be the last argument`,
    values: directions,
  },
  { name: 'more', description: 'More firewalls', values: 'firewalls', many: true, optional: true },
]

export const isDirection = (word: string) => directions.some((one) => one === word.toLowerCase())

/** Parses words: the direction is the second or the last one; the others name firewalls. */
export function parseSides(words: readonly string[]): { direction: Direction; names: string[] } {
  const isSecond = isDirection(words[1] ?? '')
  const place = isSecond ? 1 : words.length - 1
  return { direction: parseDirection(words[place]), names: words.filter((_, index) => index !== place) }
}

export function parseDirection(input = ''): Direction {
  const direction = directions.find((one) => one === input.toLowerCase())
  if (direction) return direction
  const meaning = directionMeaning(input)
  throw new Problem('usage', `"${input}" is not a direction`, {
    hint: didYouMean(input, directions) ?? `Write ${directions.join(' or ')}`,
    ...(meaning !== undefined && { otherWord: [input, meaning] }),
  })
}

/** Parses a rule's number, counted from 1, as in lists. */
export function parseNumber(input = ''): number {
  if (/^[1-9]\d{0,3}$/.test(input)) return Number(input)
  throw new Problem('usage', `"${input}" is not the number of a rule: rules count from 1`)
}

/** Returns the number in `--at`. */
export function numberFlag(flags: Flags): number | undefined {
  const input = textFlag(flags, 'at')
  return input === undefined ? undefined : parseNumber(input)
}
