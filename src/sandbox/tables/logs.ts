/** Tables that only grow: account events, and messages to users. */
import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../record-fields'
import { type Owned, plainSerializer, withUsername } from '../seed-serializers'

const eventRecord = v.strictObject({
  id,
  action: string,
  created: time,
  entity: v.strictObject({ id, label: string, type: string, url: string }),
  username: string,
  status: string,
})

const events: DeclarationOf<typeof eventRecord> = {
  name: 'events',
  defaults: {},
  most: 1000,
  form: plainSerializer(eventRecord),
}

const messageRecord = v.strictObject({
  id,
  user: id,
  sent: time,
  to: string,
  text: string,
  code: string,
})

/** Outbox: messages that a real service would have sent. */
const messages: DeclarationOf<typeof messageRecord, Owned<RecordOf<typeof messageRecord>>> = {
  name: 'messages',
  defaults: {},
  most: 1000,
  form: withUsername(messageRecord),
}

export const tables = { messages, events }
