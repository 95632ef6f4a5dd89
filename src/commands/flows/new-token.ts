/** Asks for the fields of a new token: label, scopes and expiry, with a summary before it is created. */
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import { expiryFault, isNever, parseExpiry } from '../../rules/expiry'
import { covers, fullScope } from '../../rules/scope-cover'
import { scopeResources } from '../../rules/scopes'
import type { Dialogue } from './dialogue'

interface TokenFields {
  label: string
  /** Scopes separated by spaces; `*` means all. */
  scopes: string
  /** Expiry in UTC in the service's format; absent means never. */
  expiry?: string
}

/** Requested token, and its expiry as a user would type it: `90d`, `never`. */
interface AskedToken {
  fields: TokenFields
  lasting: string
}

/** Fields set by flags, which are not asked. */
interface PresetTokenFields {
  label?: unknown
  scopes?: unknown
  expiry?: unknown
  /** True with `--expiry never`. */
  never: boolean
}

/** Asks for missing fields. `available` lists the scopes of the current token, the only ones a new token may have. */
export async function askForToken(
  dialogue: Pick<Dialogue, 'ask' | 'clock' | 'say'>,
  preset: PresetTokenFields,
  available: readonly string[],
): Promise<AskedToken> {
  const label = typeof preset.label === 'string' ? preset.label : await askLabel(dialogue)
  const scopes = typeof preset.scopes === 'string' ? preset.scopes : await askScopes(dialogue, available)
  const lasting = typeof preset.expiry === 'string' ? preset.expiry : preset.never ? 'never' : await askExpiry(dialogue)
  const expiry = lasting === 'never' ? undefined : (parseExpiry(lasting, dialogue.clock.now()) ?? lasting)
  const fields = { label, scopes, ...(expiry !== undefined && { expiry }) }
  await dialogue.say(summaryOf(fields, dialogue.clock.now()))
  if (!(await dialogue.ask.confirm('Create this token?')))
    throw new Problem('refused', 'not confirmed; no token was created')
  return { fields, lasting }
}

function askLabel({ ask }: Pick<Dialogue, 'ask'>): Promise<string> {
  return ask.text('Label', {
    check: (text) => {
      const { length } = Array.from(text)
      return (length >= 1 && length <= 100) || 'Must be 1-100 characters'
    },
  })
}

const levels = ['none', 'read', 'read and write'] as const
const accessOf = new Map([
  ['read', 'read_only'],
  ['read and write', 'read_write'],
])

async function askScopes({ ask }: Pick<Dialogue, 'ask'>, available: readonly string[]): Promise<string> {
  const full = await ask.select('What may it do?', [
    { name: 'Selected resources only', value: false },
    { name: 'Everything (full scope)', value: true },
  ])
  if (full) return fullScope
  const things = scopeResources.filter((resource) => covers(available, `${resource}:read_only`))
  const chosen = await ask.levels('Scopes', {
    things,
    levels,
    check: (choice) => {
      const scopes = scopesOf(choice)
      if (scopes.length === 0) return 'A token needs a scope'
      const beyond = scopes.find((scope) => !covers(available, scope))
      return beyond === undefined || `The token in use lacks ${beyond} itself`
    },
  })
  return scopesOf(chosen).join(' ')
}

function scopesOf(choice: ReadonlyMap<string, string>): string[] {
  return [...choice].flatMap(([resource, level]) => {
    const access = accessOf.get(level)
    return access === undefined ? [] : [`${resource}:${access}`]
  })
}

async function askExpiry({ ask, clock }: Pick<Dialogue, 'ask' | 'clock'>): Promise<string> {
  const choice = await ask.select('When does it expire?', [
    { name: 'In 30 days', value: '30d' },
    { name: 'In 90 days', value: '90d' },
    { name: 'In a year', value: '365d' },
    { name: 'On a date', value: 'date' },
    { name: 'Never', value: 'never' },
  ])
  if (choice !== 'date') return choice
  return ask.text('Date, such as 2027-01-31', { check: (text) => expiryFault(text, clock.now()) ?? true })
}

function summaryOf({ label, scopes, expiry }: TokenFields, now: number): string {
  const lines = [
    `  Label:   ${escapeText(label)}`,
    `  Scopes:  ${scopes === fullScope ? 'everything' : scopes}`,
    `  Expires: ${isNever(expiry, now) ? 'never' : `${expiry} UTC`}`,
  ]
  if (scopes === fullScope) lines.push('Warning: whoever has this token can do everything that you can.')
  if (isNever(expiry, now)) lines.push('Warning: it stays valid until it is revoked; nobody may notice that it leaked.')
  return lines.join('\n')
}
