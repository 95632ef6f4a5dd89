/** Output of `audit` (docs/audit.md). */
import * as v from 'valibot'
import { severities } from '../../audit/check'
import { checks } from '../../audit/checks'
import { integer, open, strings, text } from '../../catalogue/fields'

const maybe = (description: string) => v.nullable(text(description))
const code = open(
  checks.map((check) => check.code),
  'The check; docs/audit.md explains it',
)

const finding = v.looseObject({
  severity: open(severities, 'Severity'),
  code,
  title: text('Title of the problem'),
  object: v.looseObject({
    kind: text('Kind of resource: firewall, token, …'),
    id: v.nullable(v.union([v.number(), v.string()])),
    label: maybe('Label of the object'),
    part: maybe('Part of the resource, such as tcp/22'),
  }),
  reason: text('Reason as text'),
  command: text('Command that fixes it; words in capitals are placeholders'),
  alternatives: strings('Other commands that fix it, or help to decide'),
  key: text('Its name in an exceptions file'),
})

export const report = v.looseObject({
  format_version: v.pipe(v.literal(1), v.description('Version of this format; it changes with incompatible changes')),
  checked: integer('Number of checks'),
  counts: v.looseObject(Object.fromEntries(severities.map((severity) => [severity, integer('Number of findings')]))),
  findings: v.array(finding),
  ignored: v.array(v.looseObject({ ...finding.entries, because: text('Reason from the exceptions file') })),
  unused: v.array(
    v.looseObject({
      line: integer('Line of the exceptions file, from 1'),
      code,
      object: text('Object that it names'),
      reason: text('Its reason'),
      why: text('Why it is unused'),
    }),
  ),
  not_looked_at: v.array(
    v.looseObject({
      part: text('Part of the account that could not be read'),
      codes: strings('Checks that were skipped for it'),
      error: v.looseObject({ code: text('As in errors'), message: text('Why') }),
    }),
  ),
})
