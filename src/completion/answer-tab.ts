/** Selects the words that may be typed at the cursor, and prints them for the scripts of completions/. */
import { noOffer, type Offer, type OfferRequest, type OfferSource } from './offer'
import { flagOf, flagsAt, positionAfter } from './position'
import type { CompletionFlag, CompletionValues, CompletionWord } from './table'

interface ShellForm {
  /** Prints descriptions. */
  describes: boolean
  /** Has its own ways to match what was typed; other shells take every word that is printed. */
  matches: boolean
  /** Passes its words as one text in base64url, with a line for each. */
  encodes?: true
}

const shells: Readonly<Record<string, ShellForm>> = {
  bash: { describes: false, matches: false },
  powershell: { describes: true, matches: false, encodes: true },
  zsh: { describes: true, matches: true },
  fish: { describes: true, matches: true },
}

/**
 * Returns the words that may stand for the last one. The first line is `:KIND PREFIX` (see `Offer`). Each other line is a
 * whole word, and a description after a tab. Scripts stay as they were installed, so this form must not change; a new
 * script could name another shell, such as `bash2`.
 */
export function answer(shell: string, words: readonly string[], source: OfferSource): string {
  const form = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!form) return ''
  const line = form.encodes ? Buffer.from(words.join(), 'base64url').toString().split('\n') : words
  const last = line.at(-1) ?? ''
  // An answer has a line for each word.
  const { kind, prefix, text } = last.includes('\n') ? noOffer : offer(line.slice(0, -1), last, source)
  const matches = form.matches ? text : linesFrom(last.slice(prefix.length), text)
  const whole = prefix === '' ? matches : matches.replaceAll(/^(?=.)/gm, () => prefix)
  return `:${kind} ${prefix}\n${form.describes ? whole : whole.replaceAll(/\t.*/g, '')}`
}

function linesFrom(start: string, text: string): string {
  return start === '' ? text : textOf(linesIn(text).filter((line) => line.startsWith(start)))
}

const linesIn = (text: string) => text.split('\n').slice(0, -1)
const textOf = (lines: readonly string[]) => [...lines, ''].join('\n')

/**
 * Returns the words that may follow others. The beginning that was typed decides only between names and aliases, or labels
 * and ids: shells have their own ways to match.
 */
function offer(words: readonly string[], typed: string, source: OfferSource): Offer {
  const position = positionAfter(words, source.table)
  if (!position) return noOffer
  const request = { prefix: '', typed, position, ...source }
  if (position.pending) return offerFlagValues(position.pending, request)
  if (position.dashes || !typed.startsWith('-')) return offerWords(request)
  const [, prefix, value = ''] = /^(--[^=]+=)(.*)$/s.exec(typed) ?? []
  if (prefix === undefined) return offerFlags(request)
  const flag = flagOf(typed, position.place, source.table)
  return flag ? offerFlagValues(flag, { ...request, prefix, typed: value }) : noOffer
}

/** Offers commands, and values of the next argument. */
function offerWords(request: OfferRequest): Offer {
  const { typed, position } = request
  const { place, arguments: words } = position
  const commands = namesIn(place.commands, typed)
  const last = place.arguments.at(-1)
  const argument = place.arguments[words.length] ?? (last?.many ? last : undefined)
  if (!argument) return { ...noOffer, text: commands }
  const values = offerValues(argument.values, request, last?.many ? words : [])
  return { ...values, text: commands + values.text }
}

/** Offers flags that did not occur, or may occur again. */
function offerFlags({ typed, position, table }: OfferRequest): Offer {
  const flags = flagsAt(position.place, table)
  const left = flags.filter((flag) => flag.repeats || !position.flags.includes(flag))
  return { ...noOffer, text: namesIn(left, typed) }
}

/** Lists names; aliases only if no name begins like the word, and one-letter flags never. */
function namesIn(words: readonly CompletionWord[], typed: string): string {
  const names = words.map(({ names: [name = ''], description }) => `${name}\t${description}`)
  if (names.some((line) => line.startsWith(typed))) return textOf(names)
  const aliases = words.flatMap(({ names, description }) =>
    names.slice(1).map((alias) => (/^-[^-]/.test(alias) ? [] : `${alias}\t${description}`)),
  )
  return textOf([...names, ...aliases.flat()])
}

function offerFlagValues({ values, commas }: CompletionFlag, request: OfferRequest): Offer {
  if (values === undefined) return noOffer
  const { prefix, typed } = request
  const end = commas ? typed.lastIndexOf(',') + 1 : 0
  return offerValues(values, { ...request, prefix: prefix + typed.slice(0, end), typed: typed.slice(end) })
}

/** Offers values; `chosen` are targets that the line has already. */
function offerValues(values: CompletionValues, request: OfferRequest, chosen: readonly string[] = []): Offer {
  const { prefix } = request
  if (typeof values !== 'string') return { prefix, text: textOf(values), kind: 'words' }
  switch (values) {
    case '':
      return noOffer
    case 'files':
      return { prefix, text: '', kind: 'files' }
    case 'columns':
    case 'sort':
    case 'filter':
      return offerFields(values, request)
    default:
      return offerNames(values, request, chosen)
  }
}

/** Offers fields: `NAME=` to filter by, and after that the values of the field. */
function offerFields(kind: 'columns' | 'sort' | 'filter', request: OfferRequest): Offer {
  const { prefix, typed, position, table } = request
  const fields = table.fields[position.place.fields ?? -1] ?? []
  const names = fields.map((field) => field.name)
  if (kind === 'columns') return { prefix, text: textOf([...names, 'all']), kind: 'words' }
  if (kind === 'sort')
    return { prefix: `${prefix}${typed.startsWith('-') ? '-' : ''}`, text: textOf(names), kind: 'words' }
  const [, test, name, value = ''] = /^(([\w.]*)[^=]*=)(.*)$/s.exec(typed) ?? []
  if (test === undefined) return { prefix, text: textOf(names.map((field) => `${field}=`)), kind: 'parts' }
  const field = fields.find((one) => one.name === name)
  return field ? offerValues(field.values, { ...request, prefix: prefix + test, typed: value }) : noOffer
}

/** Sources whose names are no labels. */
const unlabelled = ['regions', 'contexts']

const forced = 'label:'

/** Offers the cached names of a kind, without those that the line has already. */
function offerNames(kind: string, request: OfferRequest, chosen: readonly string[]): Offer {
  const { prefix, typed, position, readNames } = request
  const text = readNames(kind, position)
  const isLabel = typed.startsWith(forced) && !unlabelled.includes(kind)
  const isId = /^[1-9]/.test(typed)
  if (kind !== 'rules' && chosen.length === 0 && !isLabel && !isId) return { prefix, text, kind: 'words' }
  const names = linesIn(text)
  // The first two arguments name the firewall and the direction of rules.
  const lines = kind === 'rules' ? without(chosen.slice(2), rulesOf(position.arguments, names)) : without(chosen, names)
  if (isLabel) return { prefix: prefix + forced, text: textOf(lines.flatMap(labelOf)), kind: 'words' }
  return { prefix, text: textOf(isId ? lines.map((line) => byId(line, typed)) : lines), kind: 'words' }
}

/** Selects the rules of a firewall and a direction; other lines have others before the rule. */
function rulesOf([firewall = '', direction = '']: readonly string[], lines: readonly string[]): string[] {
  const start = `${withoutForm(firewall)} ${direction} `
  return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
}

/** Leaves out the targets that words name, by label or by id. */
function without(words: readonly string[], lines: readonly string[]): readonly string[] {
  if (words.length === 0) return lines
  const targets = new Set(words.map(withoutForm))
  return lines.filter((line) => !line.split('\t').some((part) => targets.has(withoutForm(part))))
}

const withoutForm = (target: string) => target.replace(/^(label|id):/, '')

/** Returns the label without `label:`; nothing for an object that only its id names. */
function labelOf(line: string): string[] {
  if (/^\d+\t/.test(line)) return []
  return [line.startsWith(forced) ? line.slice(forced.length) : line]
}

/** Returns the id instead of the name if that is what was typed. */
function byId(line: string, typed: string): string {
  const [name = '', note = ''] = line.split('\t')
  return note.startsWith(typed) && /^\d+$/.test(note) && !name.startsWith(typed) ? `${note}\t${name}` : line
}
