import * as v from 'valibot'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, scopes, string, time } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id,
  user: id,
  label: string,
  scopes,
  website: string,
  thumbnail_url: string,
  created: time,
  expiry: v.nullable(time),
})

export type AppRecord = RecordOf<typeof record>

export function builtInApps(present: Present): AppRecord[] {
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

export const apps: DeclarationOf<typeof record, Owned<AppRecord>> = {
  name: 'apps',
  defaults: {},
  builtIn: builtInApps,
  form: owned(record),
}
