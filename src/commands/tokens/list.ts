import { type Token, tokens } from '../../catalogue/tokens'
import type { Command, Flags } from '../../engine/command'
import { durationFlag } from '../../engine/flag-values'
import { listFlags } from '../../engine/flags'
import { printPages } from '../../engine/list'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { showTime } from '../../output/times'
import { supersededUntil } from '../../rules/superseded-label'
import { parseTimestamp } from '../../rules/times'
import { tokenColumns } from './columns'

/** Filters tokens, and may add fields. */
type Choose = (token: Token) => Record<string, unknown> | undefined

/** Selects valid tokens that expire within a time. */
function expiringWithin(milliseconds: number, now: number): Choose {
  return (token) => {
    const left = parseTimestamp(token.expiry ?? '') - now
    return left > 0 && left <= milliseconds ? token : undefined
  }
}

/** Selects superseded tokens; with `due` only those whose grace period is over. */
function superseded(now: number, { due }: { due: boolean }): Choose {
  return (token) => {
    const until = supersededUntil(token.label)
    if (until === undefined || (due && parseTimestamp(until) > now)) return undefined
    return { ...token, superseded_until: until }
  }
}

async function* chosen(choose: Choose, session: Session): AsyncGenerator<Record<string, unknown>[]> {
  const client = await session.account.client()
  for await (const page of client.pages(tokens.list)) yield page.map(choose).filter((token) => token !== undefined)
}

type Superseded = Token & { superseded_until: string }

const supersededColumns = columnsFor<Superseded>([
  ...tokenColumns.filter(({ path }) => path !== 'token'),
  { path: 'superseded_until', show: (value, _record, view) => showTime(value, view) ?? String(value) },
])

/** Prints superseded tokens; throws `usage` for contradicting flags. */
async function printSuperseded(flags: Flags, session: Session): Promise<void> {
  for (const other of ['expiring', 'exit-code', 'page']) {
    if (flags[other] !== undefined) throw new Problem('usage', `--superseded contradicts --${other}`)
  }
  const pages = chosen(superseded(session.clock.now(), { due: flags.due === true }), session)
  const list = { columns: supersededColumns, plural: 'superseded tokens' }
  await printPages<typeof tokens.list, Superseded>(tokens.list, list, { flags, session, pages })
}

function readSpan(flags: Flags): number | undefined {
  const span = durationFlag(flags, 'expiring')
  if (span === undefined && flags['exit-code']) {
    throw new Problem('usage', '--exit-code needs --expiring', {
      hint: 'For example --expiring 14d',
    })
  }
  if (span !== undefined && flags.page !== undefined) {
    throw new Problem('usage', '--expiring checks every token, so it contradicts --page')
  }
  return span
}

export const listTokens: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: tokens.list.summary,
  paged: true,
  details:
    'With --expiring and --exit-code, exits with 13 if a token expires soon, so that a CI job fails. ' +
    'The API shows the first 16 characters of a token only.',
  moreDetails:
    'With --superseded, lists the old tokens of "tokens rotate --keep-old" with the end of their grace period; with --due, ' +
    'only those whose grace period is over.',
  operations: [tokens.list],
  records: tokens.list,
  flags: [
    { name: 'expiring', value: 'time', description: 'Only tokens that expire within this time, such as 14d' },
    { name: 'superseded', description: 'Only replaced tokens with a grace period' },
    { name: 'due', description: 'With --superseded, only tokens whose grace period is over' },
    { name: 'exit-code', description: 'Exit with 13 if --expiring finds tokens' },
    ...listFlags('expiry=none'),
  ],
  examples: [
    { what: 'Fail a job if a token expires within two weeks', line: 'skyctl tokens list --expiring 14d --exit-code' },
    { what: 'Tokens that never expire', line: 'skyctl tokens list --filter expiry=none' },
    {
      what: 'Revoke replaced tokens after their grace period',
      line: 'skyctl tokens list --superseded --due --quiet | skyctl tokens revoke - --yes',
    },
    { what: 'Tokens with full scope', line: "skyctl tokens list --filter 'scopes=*'" },
  ],
  async run({ flags }, session) {
    if (flags.superseded) return printSuperseded(flags, session)
    if (flags.due) throw new Problem('usage', '--due needs --superseded')
    const span = readSpan(flags)
    const list = { columns: tokenColumns, plural: span === undefined ? 'tokens' : 'tokens that expire so soon' }
    const pages = span !== undefined && { pages: chosen(expiringWithin(span, session.clock.now()), session) }
    const count = await printPages(tokens.list, list, { flags, session, ...pages })
    if (count === 0 || !flags['exit-code']) return
    throw new Problem(
      'mismatch',
      `${count} ${count === 1 ? 'token expires' : 'tokens expire'} within ${flags.expiring}`,
      {
        hint: 'Renew with: skyctl tokens rotate TOKEN',
      },
    )
  },
}
