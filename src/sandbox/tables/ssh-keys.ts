/** SSH keys of users. */
import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, string, time } from '../record-fields'
import { type Owned, withUsername } from '../seed-serializers'

const keyRecord = v.strictObject({
  id: may(id),
  user: id,
  label: string,
  ssh_key: string,
  created: may(time),
})

export type SshKeyRecord = RecordOf<typeof keyRecord>

const key = (id: number, user: number, label: string, data: string) => ({
  id,
  user,
  label,
  ssh_key: `ssh-ed25519 ${data} ${label}`,
  created: '2025-09-01T10:00:00',
})

/** RSA key of 1024 bits, too short by today's standards. */
const weak =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCm3ZlvepL5znA+hxIXWlpqrPTKhYUOokKMS8scM/fr6LSXjDi10QZxTt4BZeJm0BUAQ3OWJUvjgAs/Em3BQFNmEu37RVrpeTRFB90zmBoYK68y9KgqUiURS+5GnzcUHmcGtooatA24QS1+8wIunFpVb1r/rvSCFXaORlsScWwNjw== ' +
  'office'

const builtInKeys = [
  key(1, 1, 'laptop', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'),
  key(2, 1, 'desktop', 'AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'),
  key(3, 2, 'restricted', 'AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc'),
  { ...key(4, 1, 'office', ''), ssh_key: weak },
  key(5, 1, 'laptop-again', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'),
]

const sshkeys: DeclarationOf<typeof keyRecord, Owned<SshKeyRecord>> = {
  name: 'sshkeys',
  defaults: { created: (_, world) => world.timestamp() },
  builtIn: () => builtInKeys,
  form: withUsername(keyRecord),
}

export const tables = { sshkeys }
