/** Reads the fields of a new token from flags and a file. */
import { tokens } from '../../catalogue/tokens'
import { readBody } from '../../engine/body'
import type { Flag, Flags, Invocation } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { expiryFault, parseExpiry } from '../../rules/expiry'
import { everyScope } from '../../rules/scopes'
import type { Session } from '../../session'
import { scopesFor } from './least-scopes'

export const expiryFlag: Flag = {
  name: 'expiry',
  value: 'time',
  description: 'Expiry: 90d, 12h, 2027-01-31, 2027-01-31T12:00:00 (UTC), or never',
}

export const tokenFlags: readonly Flag[] = [
  {
    name: 'scope',
    aliases: ['scopes'],
    value: 'scope',
    list: 'commas',
    description: 'Scope, such as volumes:read_only; * is everything',
    values: everyScope,
  },
  {
    name: 'scopes-for',
    value: 'command',
    list: 'commas',
    description: 'Scopes that this command needs, such as "volumes create"',
    values: 'commands',
  },
  expiryFlag,
]

/** Returns the body of the request; scopes and expiry are in the API's format. */
export async function readTokenFields(
  { flags, program }: Pick<Invocation, 'flags' | 'program'>,
  session: Session,
): Promise<Record<string, unknown>> {
  const { expiry: written, ...body } = await readBody(tokens.create.body, flags, session)
  const named = listFlag(flags, 'scope')
  const needed = listFlag(flags, 'scopes-for')
  if (named || needed) body.scopes = [...(named ?? []), ...(await scopesFor(needed ?? [], program))].join(' ')
  const expiry = readExpiry(written, flags, session)
  return expiry === undefined ? body : { ...body, expiry }
}

/** Converts an expiry to the API's format; undefined for never. Throws `usage` for an invalid or past time. */
export function readExpiry(given: unknown, flags: Flags, session: Session): unknown {
  if (given === undefined || given === null || given === 'never') return undefined
  const now = session.clock.now()
  const text = String(given)
  const reason = flags.validate === false ? undefined : expiryFault(text, now)
  if (reason === undefined) return parseExpiry(text, now) ?? given
  const said = reason.replace(/^M/, 'm')
  const name = flags.expiry === undefined ? 'expiry' : '--expiry'
  throw new Problem('usage', `${name}: "${text}" ${said}`, { errors: [{ field: 'expiry', reason }] })
}
