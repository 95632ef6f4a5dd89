/** Sign-ins of users, and what verifies a user. */
import * as v from 'valibot'
import { daysFromNow, type Present } from '../clock'
import type { DeclarationOf, RecordOf } from '../declaration'
import { array, boolean, id, number, oneOf, string, time } from '../record-fields'
import { byUsername, type OfUser, type Owned, withUsername } from '../seed-serializers'

const loginRecord = v.strictObject({
  id,
  user: id,
  datetime: time,
  ip: string,
  restricted: boolean,
  status: oneOf('successful', 'failed'),
})

export type LoginRecord = RecordOf<typeof loginRecord>

function builtInLogins(present: Present): LoginRecord[] {
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

export const logins: DeclarationOf<typeof loginRecord, Owned<LoginRecord>> = {
  name: 'logins',
  defaults: {},
  builtIn: builtInLogins,
  form: withUsername(loginRecord),
}

const deviceRecord = v.strictObject({
  id,
  user: id,
  user_agent: string,
  last_remote_addr: string,
  last_authenticated: time,
  created: time,
  expiry: time,
})

export type TrustedDeviceRecord = RecordOf<typeof deviceRecord>

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15'

function builtInDevices(present: Present): TrustedDeviceRecord[] {
  const device = (id: number, user: number, user_agent: string, host: number, days: number) => {
    const lastUse = {
      last_remote_addr: `198.51.100.${host}`,
      last_authenticated: daysFromNow(days + 3, present),
    }
    return {
      id,
      user,
      user_agent,
      ...lastUse,
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

export const trustedDevices: DeclarationOf<typeof deviceRecord, Owned<TrustedDeviceRecord>> = {
  name: 'devices',
  defaults: {},
  builtIn: builtInDevices,
  form: withUsername(deviceRecord),
}

const answersRecord = v.strictObject({
  id,
  answers: array(v.strictObject({ question_id: id, response: string })),
})

const builtInAnswers = [
  { id: 2, answers: [1, 4, 15].map((question_id) => ({ question_id, response: `answer ${question_id}` })) },
]

/** Security answers; a record's id is its user's id. */
export const securityAnswers: DeclarationOf<typeof answersRecord, OfUser<RecordOf<typeof answersRecord>>> = {
  name: 'answers',
  defaults: {},
  builtIn: () => builtInAnswers,
  form: byUsername(answersRecord),
}

const secretRecord = v.strictObject({
  id,
  user: id,
  /** Secret in base32. */
  secret: string,
  expiry: time,
})

/** Unconfirmed two-factor secrets. */
export const tfaSecrets: DeclarationOf<typeof secretRecord, Owned<RecordOf<typeof secretRecord>>> = {
  name: 'tfa_secrets',
  defaults: {},
  form: withUsername(secretRecord),
}

const codeRecord = v.strictObject({
  id,
  phone_number: string,
  code: string,
  /** Expiry in milliseconds since the epoch. */
  expires: number,
})

/** Pending phone codes; a record's id is its user's id. */
export const phoneCodes: DeclarationOf<typeof codeRecord, OfUser<RecordOf<typeof codeRecord>>> = {
  name: 'phone_codes',
  defaults: {},
  form: byUsername(codeRecord),
}
