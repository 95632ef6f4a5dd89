import { profile } from '../catalogue/profile/profile'
import { tokens } from '../catalogue/tokens'
import type { Credential } from '../config/credential'
import type { Command } from '../engine/command'
import { outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import { Problem } from '../errors'
import { printOne } from '../output/print'
import { readAccount } from './profile/account'
import { readLifetime, unknown } from './tokens/lifetime'

const fields = [
  ...['context', 'context_source', 'base_url', 'base_url_source', 'token_source'],
  ...['user', 'scopes', 'token_expiry', 'days_left', 'restricted', 'two_factor_auth'],
]

export const authStatus: Command = {
  name: 'status',
  summary: 'Show the current service, user and token',
  paged: true,
  details:
    'Shows where the context, the address and the token come from (flag, environment, context), and how many\n' +
    'days the token is still valid: "unknown" if it may not list tokens.',
  operations: [profile.view, tokens.list],
  flags: outputFlags,
  examples: [
    { what: 'Fail in a script unless signed in', line: 'skyctl auth status --quiet' },
    { what: 'Days until the token of a job expires', line: 'skyctl auth status --query days_left -o tsv' },
  ],
  async run({ flags }, session) {
    const columns = fields.map((path) => ({ path }))
    const view = await viewOf({ fields, columns, key: 'user' }, flags, session)
    const credential = await session.account.credential()
    const { profile: user, scopes } = await readAccount(await session.account.client())
    const record = {
      ...placeOf(credential),
      user: user.username,
      scopes: scopes ?? unknown,
      ...(view.quiet === undefined && (await readLifetime(session))),
      restricted: user.restricted,
      two_factor_auth: user.two_factor_auth,
    }
    await printOne(record, view, session.ui.stdout)
  },
}

function placeOf(credential: Credential): Record<string, unknown> {
  const { context, sandbox } = credential
  return {
    context: context?.name ?? null,
    // Without flag or variable, the contexts file determines the context.
    context_source: context?.from === 'context' ? 'file' : (context?.from ?? null),
    base_url: sandbox ? null : credential.baseUrl,
    base_url_source: sandbox ? 'sandbox' : credential.baseUrlFrom,
    token_source: sourceOf(credential),
  }
}

function sourceOf(credential: Credential): string {
  if (credential.sandbox) return 'sandbox'
  if (credential.secret instanceof Problem) return 'none'
  return 'command' in credential.secret ? 'token_command' : credential.secret.from
}
