/** Formats the overview for people: a line for each instance, what is exposed, what is unused, and the counts. */
import { countsText as findingCounts } from '../../audit/audit'
import type { View } from '../../output/print'
import { type Styles, styles } from '../../output/style'
import { textWidth } from '../../output/width'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { counted, nameList } from '../../rules/texts'
import type { Exposure } from './exposure'
import { byRegion, type ListedInstance, type Overview, type Protection } from './inventory'
import {
  addressText,
  countsText,
  fromTexts,
  instanceName,
  nameOf,
  placeTexts,
  protectionText,
  unusedLists,
  volumeText,
  whatText,
} from './texts'

interface Look extends Pick<View, 'width' | 'color'> {
  /** Command line of the audit. */
  audit: string
}

interface Page extends Look {
  style: Styles
}

/** Terminals that are narrower have no columns: each cell is a line. */
const leastForColumns = 70

export async function overviewScreen(overview: Overview, look: Look): Promise<string> {
  const page = { ...look, style: await styles(look.color) }
  const blocks = [
    ...regionBlocks(overview, page),
    ...serviceBlocks(overview, page),
    exposedBlock(overview, page),
    listBlock(
      'Unused',
      unusedLists(overview).map(({ title, names }) => `${title}: ${nameList(names, mostNamed(page))}`),
      page,
    ),
    listBlock(
      'Not read',
      overview.not_read.map(({ part, error }) => escapeText(`${part}: ${error.message}`)),
      page,
    ),
    [wrap(countsText(overview), page.width), ...findingsLine(overview, page)],
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

/** Parts of a cell on a terminal. */
const mostShown = 4

/** Number of names in a list; a pipe has all of them. */
const mostNamed = ({ width }: Look) => (width > 0 ? 12 : Number.POSITIVE_INFINITY)

function listBlock(title: string, texts: readonly string[], { style, width }: Page): string[] {
  return texts.length === 0 ? [] : [style.bold(title), ...texts.map((text) => wrap(`  ${text}`, width, '    '))]
}

/** A text, or items of which as many are shown as fit. */
interface Cell {
  items: readonly string[]
  tone?: ((text: string) => string) | undefined
}

function regionBlocks({ instances, vlans, not_read }: Overview, page: Page): string[][] {
  const regions = [...new Set([...instances, ...(vlans ?? [])].map(({ region }) => region))].sort(byRegion)
  const isRead = (part: string) => !not_read.some((one) => one.part === part)
  const rows = new Map(instances.map((one) => [one, instanceRow(one, isRead, page)]))
  const write = columnWriter([...rows.values()], [18, 18, 0, 17], page)
  const names = new Map(instances.map((one) => [one.id, one.label ?? `instance ${one.id}`]))
  return regions.map((region) => {
    const own = instances.filter((one) => one.region === region)
    const lans = (vlans ?? []).filter((one) => one.region === region)
    return [
      `${page.style.bold(region === null ? 'region unknown' : escapeText(region))}  ${counted(own.length, 'instance')}`,
      ...own.flatMap((one) => write(rows.get(one) ?? [])),
      ...lans.map(({ label, computes }) => {
        const members = computes?.map((id) => names.get(id) ?? `instance ${id}`) ?? ['unknown members']
        const text = members.length === 0 ? 'no members' : nameList(members.map(escapeText), mostNamed(page))
        return wrap(`  VLAN ${escapeText(label)}: ${text}`, page.width, '    ')
      }),
    ]
  })
}

function instanceRow(one: ListedInstance, isRead: (part: string) => boolean, { style }: Page): Cell[] {
  return [
    { items: [instanceName(one)] },
    protectionCell(one, isRead('firewalls'), style),
    { items: isRead('addresses') ? one.addresses.map(addressText) : ['not read'] },
    { items: isRead('volumes') ? one.volumes.map(volumeText) : ['not read'] },
  ]
}

function protectionCell(one: Protection, isRead: boolean, { red, bold }: Styles): Cell {
  const tone = one.protected === false ? (text: string) => red(bold(text)) : undefined
  return { items: [protectionText(one, isRead)], tone }
}

function serviceBlocks({ balancers, other_services, not_read }: Overview, page: Page): string[][] {
  const isRead = !not_read.some(({ part }) => part === 'firewalls')
  const all = [...balancers, ...other_services]
  const rows = all.map((one): Cell[] => {
    const kind = one.type === 'balancer' ? '' : `${escapeText(one.type)} `
    return [{ items: [`${kind}${nameOf(one)}`] }, protectionCell(one, isRead, page.style)]
  })
  const write = columnWriter(rows, [40, 0], page)
  const linesOf = (from: number, to: number) => rows.slice(from, to).flatMap(write)
  const [first, last] = [balancers.length, all.length]
  const others = 'Other services, which may belong to instances'
  return [
    first > 0 ? [page.style.bold('Balancers'), ...linesOf(0, first)] : [],
    last > first ? [page.style.bold(wrap(others, page.width)), ...linesOf(first, last)] : [],
  ]
}

function exposedBlock({ exposure }: Overview, page: Page): string[] {
  if (!exposure) return []
  const { style, width } = page
  if (exposure.length === 0) return [style.bold('Exposed'), '  nothing: no inbound traffic is allowed']
  const most = width > 0 ? mostShown : Number.POSITIVE_INFINITY
  const rows = exposure.map((one): Cell[] => [
    { items: [whatText(one, most)], tone: toneOf(one, style) },
    { items: fromTexts(one, most) },
    { items: placeTexts(one) },
  ])
  const write = columnWriter(rows, [20, 26, 0], page)
  return [style.bold('Exposed'), ...rows.flatMap(write)]
}

const toneOf = ({ anywhere, outcome }: Exposure, style: Styles) =>
  outcome === 'unknown' || !anywhere ? style.yellow : style.red

function findingsLine(overview: Overview, { audit, style, width }: Page): string[] {
  const counts = findingCounts(overview.findings)
  if (counts === '') return []
  const { critical, high } = overview.findings
  const tone = critical + high > 0 ? style.red : style.yellow
  const text = `Problems of volumes, addresses and firewalls: ${counts}. All, with profile, tokens and keys: ${audit}`
  return [tone(wrap(text, width))]
}

/**
 * Returns a function that writes a row in columns of at most these widths. A column of width 0 gets the rest, and the last
 * one is not padded. On narrow terminals, and if a name does not fit its column, the cells are below each other.
 */
function columnWriter(rows: readonly (readonly Cell[])[], most: readonly number[], { width }: Page) {
  const longest = most.map((_, place) =>
    rows.reduce((longest, row) => Math.max(longest, textWidth(plain(row[place] ?? { items: [] }))), 0),
  )
  const widths = width === 0 ? longest : fitted(longest, most, width - 2 - 2 * (most.length - 1))
  return (row: readonly Cell[]): string[] => {
    const isCut = width > 0 && row.some(({ items }, place) => !isFitting(items, widths[place] ?? 0))
    if (isCut || (width > 0 && width < leastForColumns)) return belowEachOther(row, width)
    const cells = row.map((cell, place) => {
      const room = widths[place] ?? 0
      const text = width === 0 ? plain(cell) : fitting(cell.items, room)
      // Blanks after the last one would be kept in memory: `trimEnd` returns a part of the padded text.
      const blanks = place === most.length - 1 ? 0 : room - textWidth(text)
      return toned(cell, text) + ' '.repeat(Math.max(0, blanks))
    })
    return [`  ${cells.join('  ').trimEnd()}`]
  }
}

const plain = ({ items }: Cell) => items.join(', ')
const toned = ({ tone }: Cell, text: string) => (tone ? tone(text) : text)

/** Puts two cells on the first line if they fit, and each other one on lines of its own. */
function belowEachOther(
  [first = { items: [] }, second = { items: [] }, ...others]: readonly Cell[],
  width: number,
): string[] {
  const head = `  ${plain(first)}`
  const fits = textWidth(`${head}  ${plain(second)}`) <= width
  const below = [...(fits ? [] : [second]), ...others].filter(({ items }) => items.length > 0)
  const beside = fits ? `  ${toned(second, plain(second))}` : ''
  return [
    `${toned(first, wrap(head, width, '    '))}${beside}`.trimEnd(),
    ...below.map((cell) => toned(cell, wrap(`    ${plain(cell)}`, width, '      '))),
  ]
}

function fitted(longest: readonly number[], most: readonly number[], room: number): number[] {
  const widths = longest.map((length, place) => (most[place] === 0 ? 0 : Math.min(length, most[place] ?? 0)))
  const rest = room - widths.reduce((sum, one) => sum + one, 0)
  return widths.map((one, place) => (most[place] === 0 ? Math.min(rest, longest[place] ?? 0) : one))
}

/** Joins as many items as fit, with the number of the others: `192.0.2.11, 192.0.2.31 +2`. */
function fitting(items: readonly string[], room: number): string {
  const shown = (count: number) => {
    const more = count < items.length ? ` +${items.length - count}` : ''
    return `${items.slice(0, count).join(', ')}${more}`
  }
  let count = items.length
  while (count > 1 && textWidth(shown(count)) > room) count -= 1
  return shown(count)
}

/** Reports whether the first item, which is never cut, fits the column. */
const isFitting = (items: readonly string[], room: number) => textWidth(fitting(items, room)) <= room
