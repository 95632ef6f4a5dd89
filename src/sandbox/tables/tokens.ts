import * as v from 'valibot'
import { fullScope } from '../../rules/scopes'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, scopes, string, time } from '../fields'
import { isSandboxToken, sandboxToken } from '../secrets'
import { type Owned, owned } from '../serializers'
import { builtInApps } from './apps'

const record = v.strictObject({
  id: may(id),
  user: id,
  label: string,
  token: may(v.pipe(string, v.check(isSandboxToken, 'Must be a token of the sandbox: facade00 and 56 hex digits'))),
  /** Id of the authorized app; null for a personal access token. */
  app: may(v.nullable(id)),
  /** Scopes separated by one space; `*` means all. */
  scopes: may(scopes),
  created: may(time),
  expiry: may(v.nullable(time)),
})

export type TokenRecord = RecordOf<typeof record>

const token = (id: number, label: string, user: number, scopes: string, expiry: string | null = null): TokenRecord => ({
  id,
  label,
  token: sandboxToken(label),
  user,
  app: null,
  scopes,
  created: '2025-10-01T08:00:00',
  expiry,
})

const personal = (): TokenRecord[] => [
  token(1, 'owner', 1, '*'),
  token(2, 'restricted', 2, '*'),
  token(3, 'proxy', 3, '*'),
  token(4, 'volumes-read-only', 1, 'volumes:read_only'),
  token(5, 'volumes-read-write', 1, 'volumes:read_write'),
  token(6, 'volumes-and-computes', 1, 'volumes:read_write computes:read_write'),
  token(7, 'account-read-only', 1, 'account:read_only'),
  token(8, 'expired', 1, '*', '2025-11-01T08:00:00'),
]

/** Token that expires soon and should be rotated. */
const expiring = (present: Present) => token(9, 'deploy', 1, 'volumes:read_write', daysFromNow(10, present))

/** Tokens with which apps act for their users. */
function appTokens(present: Present): TokenRecord[] {
  return builtInApps(present).map(({ id, user, label, scopes, created, expiry }) => {
    const token = sandboxToken(`app ${label}`)
    return { id: 9 + id, user, app: id, label: `app ${label}`, scopes, token, created, expiry }
  })
}

export const tokens: DeclarationOf<typeof record, Owned<TokenRecord>> = {
  name: 'tokens',
  defaults: {
    token: ({ label = '' }) => sandboxToken(label),
    app: () => null,
    scopes: () => fullScope,
    created: (_, world) => world.timestamp(),
    expiry: () => null,
  },
  builtIn: (world) => [...personal(), expiring(world), ...appTokens(world)],
  form: owned(record),
}
