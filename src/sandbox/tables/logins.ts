import * as v from 'valibot'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { boolean, id, oneOf, string, time } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id,
  user: id,
  datetime: time,
  ip: string,
  restricted: boolean,
  status: oneOf('successful', 'failed'),
})

export type LoginRecord = RecordOf<typeof record>

function builtIn(present: Present): LoginRecord[] {
  const login = (id: number, user: number, days: number, status: LoginRecord['status'] = 'successful') => {
    const ip = `198.51.100.${user * 10 + id}`
    return { id, user, datetime: daysFromNow(days, present), ip, restricted: user === 2, status }
  }
  return [
    // Older than the login history window.
    login(1, 1, -120),
    login(2, 1, -45),
    login(3, 1, -21),
    login(4, 2, -10),
    login(5, 1, -4, 'failed'),
    login(6, 1, -4),
  ]
}

export const logins: DeclarationOf<typeof record, Owned<LoginRecord>> = {
  name: 'logins',
  defaults: {},
  builtIn,
  form: owned(record),
}
