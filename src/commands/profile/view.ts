import { fieldPaths } from '../../catalogue/operation'
import { type Profile, profile } from '../../catalogue/profile/profile'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { columnsFor } from '../../output/column'
import { isDrawn, printOne } from '../../output/print'
import { readAccount } from './account'

type Extended = Profile & { token_scopes: string | null }

const first = ['username', 'uid', 'restricted', 'two_factor_auth', 'verified_phone_number', 'token_scopes'] as const

export const viewProfile: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: profile.view.summary,
  paged: true,
  details:
    'Shows the user of the token; a table or --columns token_scopes also shows the scopes of the token. ' +
    'Referrals appear after 25 USD of payments.',
  operations: [profile.view],
  records: profile.view,
  flags: outputFlags,
  examples: [
    { what: 'Who am I, and which scopes has the token?', line: 'skyctl profile view' },
    { what: 'Only the scopes of the token', line: 'skyctl profile view --columns token_scopes -o tsv --no-headers' },
  ],
  async run({ flags }, session) {
    const fields = [...fieldPaths(profile.view), 'token_scopes']
    const columns = columnsFor<Extended>(first)
    const view = await viewOf({ fields, more: true, columns, key: 'username' }, flags, session)
    const { profile: user, scopes } = await readAccount(await session.account.client())
    const extended: Record<string, unknown> = { ...user, token_scopes: scopes ?? null }
    const ordered = Object.fromEntries([...first, ...Object.keys(user)].map((key) => [key, extended[key]]))
    // Scripts get the profile as the service sent it.
    const whole = view.chosen === undefined && !isDrawn(view) ? user : ordered
    await printOne(whole, view, session.ui.stdout)
  },
}
