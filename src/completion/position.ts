/** Follows the words of a line to the word at the cursor. */
import type { CompletionFlag, CompletionPlace, CompletionTable } from './table'

/** Place at the end of the words before the cursor, and their flags and arguments. */
export interface CursorPosition {
  /** Command words so far; empty for the root. */
  path: string
  place: CompletionPlace
  flags: readonly CompletionFlag[]
  pending: CompletionFlag | undefined
  /** True after `--`: no word is a flag any more. */
  dashes: boolean
  /** Words that are neither flags nor commands. */
  arguments: readonly string[]
  context: string | undefined
  hasBaseUrl: boolean
}

const nowhere: CompletionPlace = { commands: [], flags: [], arguments: [] }

/** Follows the words before the cursor; undefined if one of them is unknown where a command must be. */
export function positionAfter(words: readonly string[], table: CompletionTable): CursorPosition | undefined {
  let position: CursorPosition | undefined = {
    path: '',
    place: table.places[''] ?? nowhere,
    flags: [],
    pending: undefined,
    dashes: false,
    arguments: [],
    context: undefined,
    hasBaseUrl: false,
  }
  for (const word of words) position = position && afterWord(word, position, table)
  return position
}

export function flagsAt({ flags }: CompletionPlace, table: CompletionTable): CompletionFlag[] {
  return [...flags, ...table.globals].flatMap((index) => table.flags[index] ?? [])
}

/** Finds the flag of a word such as `--size` or `--size=40`; snake_case is another spelling. */
export function flagOf(word: string, place: CompletionPlace, table: CompletionTable): CompletionFlag | undefined {
  const [name = ''] = word.split('=', 1)
  const spelled = name.startsWith('--') ? name.replaceAll('_', '-') : name
  return flagsAt(place, table).find(({ names }) => names.includes(spelled))
}

function afterWord(word: string, position: CursorPosition, table: CompletionTable): CursorPosition | undefined {
  const { pending, dashes, place, path } = position
  if (pending) return withValue(pending, word, { ...position, pending: undefined })
  if (!dashes && word === '--') return { ...position, dashes: true }
  if (!dashes && /^-./.test(word)) return afterFlag(word, position, table)
  const command = place.commands.find(({ names }) => names.includes(word))
  if (command) {
    // `help volumes create` leads where `volumes create` does.
    const inner = `${path === 'help' ? '' : path} ${command.names[0]}`.trimStart()
    return { ...position, path: inner, place: table.places[inner] ?? nowhere }
  }
  if (place.commands.length > 0 && place.arguments.length === 0) return undefined
  return { ...position, arguments: [...position.arguments, word] }
}

/** An unknown flag is ignored. */
function afterFlag(word: string, position: CursorPosition, table: CompletionTable): CursorPosition {
  const flag = flagOf(word, position.place, table)
  if (!flag) return position
  const after = { ...position, flags: [...position.flags, flag] }
  if (flag.values === undefined) return after
  const [, value] = /^--[^=]*=(.*)$/s.exec(word) ?? []
  return value === undefined ? { ...after, pending: flag } : withValue(flag, value, after)
}

/** Two flags decide whose names are offered. */
function withValue({ names }: CompletionFlag, value: string, position: CursorPosition): CursorPosition {
  if (names.includes('--context')) return { ...position, context: value }
  return names.includes('--base-url') ? { ...position, hasBaseUrl: true } : position
}
