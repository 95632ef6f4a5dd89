/** Tokens of users, and the apps that act for users with tokens of their own. */
import * as v from 'valibot'
import { fullScope } from '../../rules/scope-cover'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, scopes, string, time } from '../record-fields'
import { isSandboxToken, sandboxToken } from '../secrets'
import { type Owned, withUsername } from '../seed-serializers'

const tokenRecord = v.strictObject({
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

export type TokenRecord = RecordOf<typeof tokenRecord>

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

export const tokens: DeclarationOf<typeof tokenRecord, Owned<TokenRecord>> = {
  name: 'tokens',
  defaults: {
    token: ({ label = '' }) => sandboxToken(label),
    app: () => null,
    scopes: () => fullScope,
    created: (_, world) => world.timestamp(),
    expiry: () => null,
  },
  builtIn: (world) => [...personal(), expiring(world), ...appTokens(world)],
  form: withUsername(tokenRecord),
}

const appRecord = v.strictObject({
  id,
  user: id,
  label: string,
  scopes,
  website: string,
  thumbnail_url: string,
  created: time,
  expiry: v.nullable(time),
})

export type AppRecord = RecordOf<typeof appRecord>

function builtInApps(present: Present): AppRecord[] {
  const app = (id: number, user: number, label: string, scopes: string, expiry: string | null) => {
    const created = '2025-09-12T14:05:00'
    const website = `https://${label}.example.net/`
    return { id, user, label, scopes, website, thumbnail_url: `${website}thumbnail.png`, created, expiry }
  }
  return [
    app(1, 1, 'dashboard', 'account:read_write volumes:read_only', null),
    app(2, 1, 'backups', 'volumes:read_write', daysFromNow(20, present)),
    app(3, 2, 'status-page', 'account:read_only', null),
  ]
}

export const apps: DeclarationOf<typeof appRecord, Owned<AppRecord>> = {
  name: 'apps',
  defaults: {},
  builtIn: builtInApps,
  form: withUsername(appRecord),
}
