/** Writes problems with the commands that fix them, as `audit` prints them. */
import type { Finding } from '../../audit/audit'
import { type Severity, severities } from '../../audit/check'
import { html, type Markup, type Piece } from '../../output/html'
import { groupBy } from '../../rules/records'
import { capitalized } from '../../rules/texts'
import { type CommandLine, titleOf } from '../audit-texts'

/** Writes a section for each severity; the less severe ones are folded. */
export function findingsSection(problems: readonly Finding[], line: CommandLine): Piece {
  if (problems.length === 0) return html`<p>No problems.</p>`
  return severities.flatMap((severity) => {
    const own = problems.filter((one) => one.severity === severity)
    return own.length === 0 ? [] : [severityBlock(severity, own, line)]
  })
}

function severityBlock(severity: Severity, problems: readonly Finding[], line: CommandLine): Markup {
  const isOpen = severity === 'critical' || severity === 'high'
  const checks = [...groupBy(problems, ({ code }) => code).values()]
  return html`
<details id="${severity}"${isOpen ? html` open` : undefined}>
<summary><h3><span class="badge ${severity}">${capitalized(severity)}</span> ${problems.length}</h3></summary>${checks.map(
    (some) => html`
<h4>${some[0]?.title} <small>${some[0]?.code}</small></h4>
${problemsByFix(some, line)}`,
  )}
</details>`
}

/** Problems of a check that one command fixes have it once. */
function problemsByFix(problems: readonly Finding[], line: CommandLine): Markup[] {
  const commandsOf = ({ command, alternatives = [] }: Finding) => [command, ...alternatives].map(line)
  return [...groupBy(problems, (one) => commandsOf(one).join('\n')).values()].map((some) => {
    const [command, ...others] = some[0] ? commandsOf(some[0]) : []
    return html`<div class="problem">
${some.map((one) => html`<p><strong>${titleOf(one.subject)}</strong>: ${one.reason}</p>`)}
<code class="command">${command}</code>${others.map((other) => html`<code class="command other">${other}</code>`)}
</div>
`
  })
}
