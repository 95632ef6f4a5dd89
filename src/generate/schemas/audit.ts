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
  severity: open(severities, 'How bad it is'),
  code,
  title: text('The problem, as a heading'),
  object: v.looseObject({
    kind: text('What it is about: firewall, token, …'),
    id: v.nullable(v.union([v.number(), v.string()])),
    label: maybe('Label of the object'),
    part: maybe('What of it, as tcp/22, where it may have several'),
  }),
  reason: text('Why, for a person'),
  command: text('Command that fixes it; words in capitals are placeholders'),
  alternatives: strings('Other commands that fix it, or help to decide'),
  key: text('Names it in a file of exceptions'),
})

export const report = v.looseObject({
  format_version: v.pipe(v.literal(1), v.description('Of this document; it changes where its readers would be wrong')),
  checked: integer('Number of checks that were made'),
  counts: v.looseObject(Object.fromEntries(severities.map((severity) => [severity, integer('How many findings')]))),
  findings: v.array(finding),
  ignored: v.array(v.looseObject({ ...finding.entries, because: text('The reason in the file of exceptions') })),
  unused: v.array(
    v.looseObject({
      line: integer('Of the file of exceptions, from 1'),
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
