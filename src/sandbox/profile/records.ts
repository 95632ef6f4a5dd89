/** What the world holds for the profile area; each record is of one user. */
import type { Table, Tables } from '../tables'

export interface AppRecord {
  id: number
  user: number
  label: string
  scopes: string
  website: string
  thumbnail_url: string
  created: string
  expiry: string | null
}

export interface DeviceRecord {
  id: number
  user: number
  user_agent: string
  last_remote_addr: string
  last_authenticated: string
  created: string
  expiry: string
}

export interface LoginRecord {
  id: number
  user: number
  datetime: string
  ip: string
  restricted: boolean
  status: 'successful' | 'failed'
}

export interface SshKeyRecord {
  id: number
  user: number
  label: string
  ssh_key: string
  created: string
}

/** The answers of the user whose id it has. */
export interface AnswersRecord {
  id: number
  answers: readonly { question_id: number; response: string }[]
}

export interface PreferencesRecord {
  id: number
  user: number
  /** The app that keeps them; null: whoever uses personal access tokens. */
  app: number | null
  /** JSON. */
  text: string
}

/** A code that was sent, to be verified by the user whose id it has. */
export interface PhoneCodeRecord {
  id: number
  phone_number: string
  code: string
  /** In milliseconds. */
  expires: number
}

/** A two-factor secret that is not confirmed yet. */
export interface SecretRecord {
  id: number
  user: number
  /** Base32. */
  secret: string
  expiry: string
}

/** What a real service would have sent elsewhere. */
export interface MessageRecord {
  id: number
  user: number
  sent: string
  to: string
  text: string
  code: string
}

/** The tables of the profile area; users and tokens are the world's, since every request asks for them. */
export class ProfileTables {
  readonly apps: Table<AppRecord>
  readonly devices: Table<DeviceRecord>
  readonly logins: Table<LoginRecord>
  readonly sshkeys: Table<SshKeyRecord>
  readonly answers: Table<AnswersRecord>
  readonly preferences: Table<PreferencesRecord>
  readonly phoneCodes: Table<PhoneCodeRecord>
  readonly tfaSecrets: Table<SecretRecord>
  /** The outbox. */
  readonly messages: Table<MessageRecord>

  constructor(tables: Tables) {
    this.apps = tables.add('apps')
    this.devices = tables.add('devices')
    this.logins = tables.add('logins')
    this.sshkeys = tables.add('sshkeys')
    this.answers = tables.add('answers')
    this.preferences = tables.add('preferences')
    this.phoneCodes = tables.add('phone_codes')
    this.tfaSecrets = tables.add('tfa_secrets')
    this.messages = tables.add('messages')
  }
}
