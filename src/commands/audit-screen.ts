/** A report as a person reads it: for each severity, the findings by their codes, and the commands that fix them. */
import type { Finding, Report } from '../audit/audit'
import { type Severity, type Subject, severities } from '../audit/check'
import type { View } from '../output/print'
import { safe } from '../output/safe'
import { type Styling, styles } from '../output/style'
import { textWidth } from '../output/width'
import { wrap } from '../output/wrap'
import { groupBy } from '../rules/groups'

interface Look extends Pick<View, 'width' | 'color'> {
  /** A command line as it is typed. */
  line(words: readonly string[]): string
  /** Nothing is left out for want of room. */
  whole: boolean
}

export const toneOf: ReadonlyMap<unknown, Styling> = new Map<Severity, Styling>([
  ['critical', 'red'],
  ['high', 'red'],
  ['medium', 'yellow'],
  ['low', 'cyan'],
])

/** A terminal of 24 rows shows a severity whole, with the prompt. */
const mostLines = 23

export async function auditScreen(report: Report, look: Look): Promise<string> {
  const style = await styles(look.color)
  const blocks = severities.flatMap((severity) => {
    const found = report.findings.filter((finding) => finding.severity === severity)
    if (found.length === 0) return []
    const tone = style[toneOf.get(severity) ?? 'bold']
    const head = tone(style.bold(`${severity.toUpperCase()} (${found.length})`))
    return [[head, ...blockOf(found, look, style.bold)].join('\n')]
  })
  const unseen = report.unseen.map(({ part, problem }) =>
    wrap(`  ${part}: ${safe(problem.message)}`, look.width, '    '),
  )
  const rest = unseen.length > 0 ? [[style.bold('NOT CHECKED'), ...unseen].join('\n')] : []
  return `${[...blocks, ...rest, summaryOf(report, look)].join('\n\n')}\n`
}

interface Group {
  head: string
  texts: readonly string[]
  shown: number
  /** Instead of those that are not shown. */
  more(count: number): string
}

/** The findings of each code below its title; where not all have room, some of each, in turn. */
function blockOf(found: readonly Finding[], look: Look, bold: (text: string) => string): string[] {
  const isCut = look.width > 0 && !look.whole
  const groups = [...groupBy(found, ({ code }) => code)].map(([code, all]): Group => {
    const whole = look.line(['audit', '--code', code])
    return {
      head: wrap(`  ${all[0]?.title}: ${code}`, look.width, '    '),
      texts: all.map((finding) => findingText(finding, look)),
      shown: isCut ? 0 : all.length,
      more: (count) => `    ${count === all.length ? count : `and ${count} more`}: ${whole}`,
    }
  })
  while (groups.map((group) => growing(group, groups, look)).some((grew) => grew));
  return groups.flatMap((group) => linesOf({ ...group, head: bold(group.head) }))
}

/** Shows one more of a group, if that leaves the severity on one screen. */
function growing(group: Group, groups: readonly Group[], { width }: Look): boolean {
  if (group.shown === group.texts.length) return false
  group.shown += 1
  const height = groups.flatMap(linesOf).reduce((sum, line) => sum + Math.ceil(textWidth(line) / width), 1)
  if (height <= mostLines) return true
  group.shown -= 1
  return false
}

function linesOf({ head, texts, shown, more }: Group): string[] {
  const rest = texts.length - shown
  return [head, ...texts.slice(0, shown), ...(rest > 0 ? [more(rest)] : [])].join('\n').split('\n')
}

/** The command is not broken, so that it can be copied: a terminal that is too narrow folds it by itself. */
function findingText({ subject, reason, command, alternatives = [] }: Finding, { width, line }: Look): string {
  const text = wrap(`    ${titleOf(subject)}: ${safe(reason)}`, width, '      ')
  const others = alternatives.map((words) => `      or: ${safe(line(words))}`)
  return [text, `      ${safe(line(command))}`, ...others].join('\n')
}

/** `firewall "web" (4001) tcp/22`. */
function titleOf({ kind, id, label, part }: Subject): string {
  const named = label === null || label === '' ? (id === null ? kind : `${kind} ${id}`) : `${kind} "${label}" (${id})`
  return safe(part === undefined ? named : `${named} ${part}`)
}

function summaryOf({ findings, ignored, checked, unseen }: Report, { width }: Look): string {
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}`]
  })
  const found = counts.length === 0 ? 'No findings' : counts.join(', ')
  const excepted = ignored.length > 0 ? `; ${ignored.length} excepted` : ''
  const made = `${checked} check${checked === 1 ? '' : 's'}${unseen.length > 0 ? '; the others were skipped' : ''}`
  return wrap(`${found}${excepted} (${made})`, width)
}
