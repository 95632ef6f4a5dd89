import { type Token, tokens } from '../../catalogue/tokens'
import type { Context } from '../../context'
import type { Command, Flags } from '../../engine/command'
import { listFlags } from '../../engine/flags'
import { durationFlag } from '../../engine/given'
import { printPages } from '../../engine/list'
import { Problem } from '../../errors'
import { parseTimestamp } from '../../rules/times'
import { tokenColumns } from './columns'

/** The tokens that still are valid and end within a time. */
async function* expiringWithin(milliseconds: number, context: Context): AsyncGenerator<Token[]> {
  const now = context.clock.now()
  const client = await context.client()
  for await (const page of client.pages(tokens.list)) {
    yield page.filter(({ expiry }) => {
      const left = parseTimestamp(expiry ?? '') - now
      return left > 0 && left <= milliseconds
    })
  }
}

function readSpan(flags: Flags): number | undefined {
  const span = durationFlag(flags, 'expiring')
  if (span === undefined && flags['exit-code']) {
    throw new Problem('usage', '--exit-code says whether tokens expire: it needs --expiring', {
      hint: 'For example --expiring 14d',
    })
  }
  if (span !== undefined && flags.page !== undefined) {
    throw new Problem('usage', '--expiring looks at every token, so it contradicts --page')
  }
  return span
}

export const listTokens: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: tokens.list.summary,
  details: 'With --expiring and --exit-code it ends with 13 where a token expires soon, for a CI job to notice.',
  operations: [tokens.list],
  flags: [
    { name: 'expiring', value: 'time', description: 'Only those that expire within this time, such as 14d' },
    { name: 'exit-code', description: 'End with 13 where --expiring finds any' },
    ...listFlags,
  ],
  examples: [
    { what: 'What expires within two weeks; a job fails on it', line: 'skyctl tokens list --expiring 14d --exit-code' },
    { what: 'Which tokens never expire', line: 'skyctl tokens list --filter expiry=none' },
    { what: 'Which tokens have full scope', line: "skyctl tokens list --filter 'scopes=*'" },
  ],
  async run({ flags }, context) {
    const span = readSpan(flags)
    const list = { columns: tokenColumns, plural: span === undefined ? 'tokens' : 'tokens that expire so soon' }
    const pages = span === undefined ? undefined : expiringWithin(span, context)
    const count = await printPages(tokens.list, list, { flags, context, ...(pages && { pages }) })
    if (count === 0 || !flags['exit-code']) return
    throw new Problem(
      'mismatch',
      `${count} ${count === 1 ? 'token expires' : 'tokens expire'} within ${flags.expiring}`,
      {
        hint: 'Renew with: skyctl tokens rotate',
      },
    )
  },
}
