/** Hints for flags in the table of flag-table.ts. */
import { shellWord } from '../../rules/texts'
import { pathOf } from '../usage-error'
import { type Hint, has, hasTarget, replaceFlag, replaceFlagAndValue, replaceVerb, type UnknownFlag } from './hint'
import { type Row, rows } from './other-tool-flags'

/** Returns the hint of the first row that is about a flag. */
export function otherToolFlagHint(unknown: UnknownFlag): Hint | undefined {
  const row = rows.find((one) => isAbout(one, unknown))
  if (!row) return undefined
  const { verb, append = '', leaveOut, write = leaveOut === undefined ? undefined : '', value } = row
  const words =
    typeof write === 'function' ? write(unknown) : wordsIn(write ?? '').map((word) => filledIn(word, unknown))
  const meaning = verb === undefined ? words.map(shellWord).join(' ') : `"${filledIn(`GROUP ${verb}`, unknown)}"`
  const usual = leaveOut === undefined ? `Did you mean ${meaning}?` : `Leave out FLAG: ${leaveOut}`
  const text = filledIn(row.text ?? usual, unknown, shellWord)
  if (verb !== undefined) {
    const argv = [...replaceVerb(unknown, verb), ...wordsIn(append)]
    return { text, argv, ...(row.text === undefined && { isCommand: true }) }
  }
  if (write === undefined) return { text }
  const { before = '', pipe = '' } = row
  const argv = value === undefined ? replaceFlag(unknown, words) : replaceFlagAndValue(unknown, words)
  return { text, before: filledIn(before, unknown), pipe, argv: before === '' ? argv : withoutLoss(argv, unknown) }
}

function isAbout(row: Row, unknown: UnknownFlag): boolean {
  const { flag, value = '', parser, command } = unknown
  const path = pathOf(parser).replace('skyctl ', '')
  const isOn = row.on?.split(', ').some((name) => (/^--/.test(name) ? has(command, name.slice(2)) : name === path))
  return row.flag.test(flag) && isOn !== false && row.value?.test(value) !== false && row.if?.(unknown) !== false
}

const wordsIn = (text: string) => text.split(' ').filter((word) => word !== '')

const plain = (text: string) => text

function filledIn(text: string, unknown: UnknownFlag, quote = plain): string {
  const { flag, value, parser } = unknown
  const names: Readonly<Record<string, string>> = {
    FLAG: flag,
    NAME: flag.slice(2),
    COMMAND: pathOf(parser),
    FIREWALL: hasTarget(unknown) ? shellWord(parser.args[0] ?? '') : 'FIREWALL',
    GROUP: pathOf(parser).replace(/ \S+$/, ''),
  }
  return text
    .replaceAll(/\b(?:FLAG|NAME|COMMAND|GROUP|FIREWALL)\b/g, (name) => names[name] ?? name)
    .replaceAll(/\{(.+?)\}/g, (_, otherwise: string) => (value === undefined ? otherwise : quote(value)))
}

/** Adds a tag to many objects, as --tag would replace all that they have. */
export const withoutLoss = (argv: readonly string[], { command }: UnknownFlag): string[] =>
  argv.map((word) => (has(command, 'add-tag') ? word.replace(/^--tags?(?==|$)/, '--add-tag') : word))
