/** Readers of plans as text. They follow the rules of the documentation, and share no code with the program. */

/** A block of a plan: its mark, and the names in its title. */
export interface ReadBlock {
  mark: string
  names: string[]
  lines: string[]
}

/** Reads the blocks of a plan of volumes. A title with a count must have as many names. */
export function readBlocks(text: string): ReadBlock[] {
  const blocks: ReadBlock[] = []
  for (const line of text.split('\n')) {
    const [, mark, count, list] = /^([-+~!]) (?:(\d+) volumes|volume) (.*)$/.exec(line) ?? []
    if (mark === undefined || list === undefined) {
      if (/^ {4}/.test(line)) blocks.at(-1)?.lines.push(line.trim())
      continue
    }
    const names = count === undefined ? [single(list)] : unfold(list)
    if (count !== undefined && names.length !== Number(count)) throw new Error(`${line}: names ${names.length}`)
    blocks.push({ mark, names, lines: [] })
  }
  return blocks
}

const single = (list: string) => list.replace(/ \(\d+\)$/, '').slice(1, -1)

/** Expands `"a-1" … "a-3", "b"`. */
function unfold(list: string): string[] {
  return list.split(', ').flatMap((part) => {
    const [from = '', to] = part.split(/ (?:…|\.\.\.) /).map((name) => /^"([^"]*)"$/.exec(name)?.[1])
    return to === undefined ? [from] : namesBetween(from, to)
  })
}

/** Counts from one name to another. They differ only in their last number. */
function namesBetween(from: string, to: string): string[] {
  const [, head, first, tail] = /^(.*?)(\d+)(\D*)$/.exec(from) ?? []
  const last = to.slice(head?.length, to.length - (tail?.length ?? 0))
  const all: string[] = []
  const width = first?.startsWith('0') ? first.length : 0
  for (let number = Number(first); number <= Number(last); number += 1)
    all.push(`${head}${String(number).padStart(width, '0')}${tail}`)
  if (all.at(-1) !== to) throw new Error(`"${from}" to "${to}" is no range`)
  return all
}

/** Splits Markdown into its code and everything else, with fences as in CommonMark. */
export function readMarkdown(text: string): { code: string; outside: string } {
  const [code, outside]: [string[], string[]] = [[], []]
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [, ticks, language] = /^(`{3,})([^`]*)$/.exec(line) ?? []
    if (fence === undefined && ticks !== undefined) fence = ticks
    else if (fence !== undefined && ticks !== undefined && language?.trim() === '' && ticks.length >= fence.length)
      fence = undefined
    else (fence === undefined ? outside : code).push(line)
  }
  if (fence !== undefined) throw new Error('a fence is open')
  return { code: code.join('\n'), outside: outside.join('\n') }
}
