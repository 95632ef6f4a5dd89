/** Formats a report for people: findings by severity and code, with the commands that fix them. */
import { type AuditReport, countBySeverity, countsText, type Finding } from '../audit/audit'
import { type Severity, severities } from '../audit/check'
import type { View } from '../output/print'
import { type Styling, styles } from '../output/style'
import { textWidth } from '../output/width'
import { wrap } from '../output/wrap'
import { escapeText } from '../rules/escape'
import { groupBy } from '../rules/records'
import { counted } from '../rules/texts'
import { type CommandLine, titleOf } from './audit-texts'

interface Look extends Pick<View, 'width' | 'color'> {
  line: CommandLine
  /** True if long lists are not shortened. */
  whole: boolean
}

interface Page extends Look {
  /** Formats a command below a finding so that it can be copied. */
  commandLine(head: string, words: readonly string[]): string
}

export const toneOf: ReadonlyMap<unknown, Styling> = new Map<Severity, Styling>([
  ['critical', 'red'],
  ['high', 'red'],
  ['medium', 'yellow'],
  ['low', 'cyan'],
])

/** Lines for one severity: a terminal of 24 rows shows them together with the prompt. */
const mostLines = 23

export async function auditScreen(report: AuditReport, look: Look): Promise<string> {
  const style = await styles(look.color)
  const page = { ...look, commandLine: await commandFormatter(look) }
  const blocks = severities.flatMap((severity) => {
    const findings = report.findings.filter((finding) => finding.severity === severity)
    if (findings.length === 0) return []
    const tone = style[toneOf.get(severity) ?? 'bold']
    const head = tone(style.bold(`${severity.toUpperCase()} (${findings.length})`))
    return [[head, ...blockOf(findings, page, style.bold)].join('\n')]
  })
  const unseen = report.unseen.map(({ part, problem }) =>
    wrap(`  ${part}: ${escapeText(problem.message)}`, look.width, '    '),
  )
  const rest = unseen.length > 0 ? [[style.bold('NOT CHECKED'), ...unseen].join('\n')] : []
  const total = report.findings.length
  const first =
    total === 0
      ? []
      : [wrap(`${counted(total, 'finding')}: ${countsText(countBySeverity(report.findings))}`, look.width)]
  return `${[...first, ...blocks, ...rest, summaryOf(report, look)].join('\n\n')}\n`
}

interface FindingText {
  text: string
  /** The lines of its commands. */
  fix: string
}

interface Group {
  head: string
  findings: readonly FindingText[]
  shown: number
  /** Returns the line that replaces hidden findings. */
  more(count: number): string
}

/** Formats findings by code. If not all fit, it shows some of each code, in turn. */
function blockOf(findings: readonly Finding[], page: Page, bold: (text: string) => string): string[] {
  const isCut = page.width > 0 && !page.whole
  const groups = [...groupBy(findings, ({ code }) => code)].map(([code, all]): Group => {
    return {
      head: wrap(`  ${all[0]?.title}: ${code}`, page.width, '    '),
      findings: all.map((finding) => findingText(finding, page)),
      shown: isCut ? 0 : all.length,
      more(count) {
        const head = count === all.length ? counted(count, 'finding') : `and ${count} more`
        return page.commandLine(`    ${head}: `, ['audit', '--code', code])
      },
    }
  })
  while (groups.map((group) => growing(group, groups, page)).some((grew) => grew));
  return groups.flatMap((group) => linesOf({ ...group, head: bold(group.head) }))
}

/** Shows one more finding of a group, if the severity still fits on a screen. */
function growing(group: Group, groups: readonly Group[], { width }: Look): boolean {
  if (group.shown === group.findings.length) return false
  group.shown += 1
  const height = groups.flatMap(linesOf).reduce((sum, line) => sum + Math.ceil(textWidth(line) / width), 1)
  if (height <= mostLines) return true
  group.shown -= 1
  return false
}

/** Adjacent findings with the same fix have it once, after the last of them. */
function linesOf({ head, findings, shown, more }: Group): string[] {
  const rest = findings.length - shown
  const visible = findings.slice(0, shown)
  const texts = visible.flatMap(({ text, fix }, index) => (fix === visible[index + 1]?.fix ? [text] : [text, fix]))
  return [head, ...texts, ...(rest > 0 ? [more(rest)] : [])].join('\n').split('\n')
}

/** Formats a finding, with commands that can be copied. */
function findingText(
  { subject, reason, command, alternatives = [] }: Finding,
  { width, commandLine }: Page,
): FindingText {
  const text = wrap(`    ${titleOf(subject)}: ${escapeText(reason)}`, width, '      ')
  const others = alternatives.map((words) => commandLine('      or: ', words))
  return { text, fix: [commandLine(' '.repeat(6), command), ...others].join('\n') }
}

async function commandFormatter({ width, line }: Look): Promise<Page['commandLine']> {
  const { continuedCommand } = await import('../output/continued-command')
  const indent = ' '.repeat(6)
  return (head, words) => head + continuedCommand(escapeText(line(words)), width, { column: head.length, indent })
}

function summaryOf({ findings, ignored, checked, unseen }: AuditReport, { width }: Look): string {
  const result = countsText(countBySeverity(findings)) || 'No findings'
  const excepted = ignored.length > 0 ? `; ${ignored.length} excepted` : ''
  const objects = unseen.filter(({ problem }) => problem.code === 'some_failed').length
  const skipped = unseen.length > objects ? '; the others were skipped' : ''
  const left = objects > 0 ? `; ${counted(objects, 'object')} could not be read` : ''
  const coverage = `${counted(checked, 'check')}${skipped}${left}`
  return wrap(`${result}${excepted} (${coverage})`, width)
}
