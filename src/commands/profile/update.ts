import { profile } from '../../catalogue/profile/profile'
import { changeCommand } from '../../engine/change-command'
import type { Flag } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import type { RequestBody, Situation } from '../../engine/situation'
import { Problem } from '../../errors'
import { keyLines } from '../../rules/ssh-keys'
import { refusePrivateKey } from './private-keys'

const ownFlags: readonly Flag[] = [
  { name: 'ip-whitelist-enabled', negative: 'only', description: 'Deprecated: it can only be switched off' },
  {
    name: 'authorized-key',
    aliases: ['authorized-keys'],
    value: 'key',
    list: 'repeats',
    description: 'SSH public key of the remote shell; repeat it. They replace those that stand',
  },
  {
    name: 'authorized-keys-file',
    value: 'file',
    description: 'Take the keys from a file, a line each; - is stdin',
    values: 'files',
  },
  { name: 'authorized-keys', negative: 'only', description: 'Empty the list of keys' },
]

/** The keys that the flags give: null empties the list, undefined leaves it. */
async function readKeys({ flags, session }: Situation): Promise<readonly string[] | null | undefined> {
  const given = listFlag(flags, 'authorized-key')
  const file = textFlag(flags, 'authorized-keys-file')
  const none = flags['authorized-keys'] === false
  if ([given !== undefined, file !== undefined, none].filter(Boolean).length > 1) {
    throw new Problem('usage', '--authorized-key, --authorized-keys-file and --no-authorized-keys exclude each other')
  }
  if (none) return null
  if (file === undefined) return given
  const { readText } = await import('../../engine/body-file')
  const text = await readText(file, session)
  refusePrivateKey('authorized_keys', text)
  return keyLines(text)
}

async function withKeys(body: RequestBody, situation: Situation): Promise<RequestBody> {
  const keys = await readKeys(situation)
  const result = keys === undefined ? body : { ...body, authorized_keys: keys }
  refusePrivateKey('authorized_keys', result.authorized_keys)
  return result
}

function check(body: RequestBody): void {
  if (Object.keys(body).length === 0) {
    throw new Problem('usage', 'nothing to change', { hint: 'See skyctl profile update --help' })
  }
  if (body.ip_whitelist_enabled === true) {
    throw new Problem('usage', 'ip_whitelist_enabled: it is deprecated and cannot be switched on', {
      errors: [{ field: 'ip_whitelist_enabled', reason: 'Cannot be enabled' }],
    })
  }
}

/** What one may take from oneself. */
const losses: readonly { when(body: RequestBody): boolean; what: string }[] = [
  {
    when: ({ restricted }) => restricted === true,
    what: 'Restrict yourself: what was not granted to you is forbidden at once, this command too',
  },
  {
    when: ({ two_factor_auth }) => two_factor_auth === false,
    what: 'Switch two-factor authentication off: logins then need the password only',
  },
  {
    when: ({ shell_auth_method, authorized_keys: keys }) =>
      shell_auth_method === 'keys_only' && (keys === null || (Array.isArray(keys) && keys.length === 0)),
    what: 'Let nobody into the remote shell: it takes keys only, and there are none',
  },
]

export const updateProfile = changeCommand({
  name: 'update',
  aliases: ['set'],
  operation: profile.update,
  flags: (made) => [...made.filter(({ name }) => name !== 'ip-whitelist-enabled'), ...ownFlags],
  typed: { authorized_keys: '--authorized-key' },
  body: withKeys,
  check: (body) => check(body),
  question(body) {
    const lost = losses.filter(({ when }) => when(body)).map(({ what }) => what)
    return lost.length === 0 ? undefined : () => lost.join('; ')
  },
  done: ({ username }, { body: { ip_whitelist_enabled } }) =>
    ip_whitelist_enabled === false
      ? `Updated the profile of ${username}; the whitelist cannot be switched on again`
      : `Updated the profile of ${username}`,
  examples: [
    { what: 'Another address and time zone', line: 'skyctl profile update --email me@example.net --timezone UTC' },
    {
      what: 'Keys only in the remote shell',
      line: 'skyctl profile update --shell-auth-method keys_only --authorized-keys-file ~/.ssh/id_ed25519.pub',
    },
  ],
})
