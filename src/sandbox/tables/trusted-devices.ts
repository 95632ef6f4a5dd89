import * as v from 'valibot'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id,
  user: id,
  user_agent: string,
  last_remote_addr: string,
  last_authenticated: time,
  created: time,
  expiry: time,
})

export type TrustedDeviceRecord = RecordOf<typeof record>

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15'

function builtIn(present: Present): TrustedDeviceRecord[] {
  const device = (id: number, user: number, user_agent: string, host: number, days: number) => {
    const seen = {
      last_remote_addr: `198.51.100.${host}`,
      last_authenticated: daysFromNow(days + 3, present),
    }
    return {
      id,
      user,
      user_agent,
      ...seen,
      created: daysFromNow(days, present),
      expiry: daysFromNow(days + 30, present),
    }
  }
  return [
    device(1, 1, firefox, 7, -4),
    device(2, 1, safari, 19, -21),
    device(3, 2, firefox, 33, -10),
    // Device with an expired session.
    device(4, 1, safari, 20, -45),
  ]
}

export const trustedDevices: DeclarationOf<typeof record, Owned<TrustedDeviceRecord>> = {
  name: 'devices',
  defaults: {},
  builtIn,
  form: owned(record),
}
