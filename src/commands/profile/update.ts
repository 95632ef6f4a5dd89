import * as actions from '../../account/actions/profile'
import type { RequestBody } from '../../account/change-context'
import { refusePrivateKey } from '../../account/refuse-private-keys'
import { bodyProblem } from '../../catalogue/body-problem'
import { changeCommand } from '../../engine/change-command'
import type { CommandContext } from '../../engine/change-command-context'
import { withDescriptions } from '../../engine/change-flags'
import type { Flag } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import { ignoreProblem, Problem } from '../../errors'
import { keyLine, keyLines, keyName, keyTextFault, otherFormatFault } from '../../rules/ssh-keys'
import { addRemoveOptions, sayReplaced, withAddedAndRemoved } from '../add-remove-flags'
import { sentences } from '../change-messages'

/** Descriptions that fit on a line beside the long names of these flags. */
const descriptions: Readonly<Record<string, string>> = {
  email: 'Address for messages; fixed for a proxy user',
  'email-notifications': 'Send email about account activity',
  'shell-auth-method': 'password_keys, keys_only or disabled',
  timezone: 'Time zone for display, such as Europe/Berlin',
  'two-factor-auth': 'Ask for a code at logins; tfa setup enables it',
}

const ownFlags: readonly Flag[] = [
  {
    name: 'ip-whitelist-enabled',
    negative: 'only',
    description: 'Deprecated: it can only be switched off',
    rare: true,
  },
  {
    name: 'authorized-key',
    aliases: ['authorized-keys'],
    value: 'key',
    list: 'repeats',
    description: 'Replace the SSH keys with this one',
  },
  {
    name: 'authorized-keys-file',
    value: 'file',
    description: 'Replace them with those of a file; - is stdin',
    values: 'files',
  },
  { name: 'authorized-keys', negative: 'only', description: 'Remove all keys' },
  { name: 'add-authorized-key', value: 'key', list: 'repeats', description: 'Add a key to the current ones' },
  { name: 'remove-authorized-key', value: 'key', list: 'repeats', description: 'Remove a key from the current ones' },
]

/** Returns the keys in flags: null empties the list, undefined keeps it. */
async function readKeys({ flags, session }: CommandContext): Promise<readonly string[] | null | undefined> {
  const keys = listFlag(flags, 'authorized-key')
  const file = textFlag(flags, 'authorized-keys-file')
  const none = flags['authorized-keys'] === false
  if ([keys !== undefined, file !== undefined, none].filter(Boolean).length > 1) {
    throw new Problem('usage', '--authorized-key, --authorized-keys-file and --no-authorized-keys exclude each other')
  }
  if (none) return null
  if (file === undefined) return keys
  const { readText } = await import('../../engine/body-file')
  const text = await readText(file, session)
  refusePrivateKey('authorized_keys', text)
  const lines = keyLines(text)
  const faults = flags.validate === false ? [] : [otherFormatFault(text), ...lines.map(keyTextFault)]
  for (const reason of faults) if (reason !== undefined) throw bodyProblem([{ field: 'authorized_keys', reason }])
  return lines.map(keyLine)
}

async function withKeys(body: RequestBody, context: CommandContext): Promise<RequestBody> {
  const keys = await readKeys(context)
  const whole = keys === undefined ? body : { ...body, authorized_keys: keys }
  const { session, dry } = context
  const result = await withAddedAndRemoved(whole, context, {
    both: '--add-authorized-key and --remove-authorized-key contradict a whole list of keys',
    read: async () => (dry ? undefined : actions.readProfile(session.account)),
  })
  refusePrivateKey('authorized_keys', result.authorized_keys)
  if (keys && keys.length > 0 && !dry) await sayReplacedKeys(keys, context)
  return result
}

async function sayReplacedKeys(keys: readonly string[], context: CommandContext): Promise<void> {
  const before = await actions.readProfile(context.session.account).catch(ignoreProblem)
  const names = new Set(keys.map((key) => keyLine(key)))
  const left = listOfKeys(before).filter((key) => !names.has(keyLine(key)))
  const flag = context.flags['authorized-key'] === undefined ? '--authorized-keys-file' : '--authorized-key'
  await sayReplaced(left.map(keyName), { items: 'keys', flag, adding: '--add-authorized-key' }, context)
}

const listOfKeys = (profile: RequestBody | undefined): string[] =>
  Array.isArray(profile?.authorized_keys) ? profile.authorized_keys : []

function expectChanges(body: RequestBody): void {
  if (Object.keys(body).length === 0) {
    throw new Problem('usage', 'nothing to change', { hint: 'See skyctl profile update --help' })
  }
  if (body.ip_whitelist_enabled === true) {
    throw new Problem('usage', 'ip_whitelist_enabled: it is deprecated and cannot be switched on', {
      errors: [{ field: 'ip_whitelist_enabled', reason: 'Cannot be enabled' }],
    })
  }
}

/** Permissions that users can take away from themselves. */
const losses: readonly { when(body: RequestBody): boolean; loss: string; what: string }[] = [
  {
    when: ({ restricted }) => restricted === true,
    loss: 'You will immediately lose all access without a grant, also to this command',
    what: 'Restrict yourself',
  },
  {
    when: ({ two_factor_auth }) => two_factor_auth === false,
    loss: 'Logins will need the password only',
    what: 'Switch two-factor authentication off',
  },
  {
    when: ({ shell_auth_method, authorized_keys: keys }) =>
      shell_auth_method === 'keys_only' && (keys === null || (Array.isArray(keys) && keys.length === 0)),
    loss: 'Nobody will be able to log in to the remote shell: it accepts only keys, and there are none',
    what: 'Close the remote shell',
  },
]

export const updateProfile = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateProfile,
  columns: [],
  input: {
    flags(derived) {
      const others = derived.filter(({ name }) => name !== 'ip-whitelist-enabled')
      return [...withDescriptions(others, descriptions), ...ownFlags]
    },
    names: { authorized_keys: '--authorized-key' },
    options: (flags) => addRemoveOptions(flags, { field: 'authorized_keys', item: 'authorized-key' }),
    check: expectChanges,
    complete: withKeys,
  },
  question(body) {
    const lost = losses.filter(({ when }) => when(body))
    const sentences = [...lost.map(({ loss }) => loss), lost.map(({ what }) => what).join('; ')]
    return lost.length === 0 ? undefined : () => sentences.join('. ')
  },
  ...sentences['profile update'],
  help: {
    moreDetails:
      'The API sends business-critical email even with --no-email-notifications. --shell-auth-method and the SSH keys are ' +
      'those of the remote shell. The time zone is for display: times of the API are in UTC. A file of keys has one on a ' +
      'line.',
    examples: [
      { what: 'Another address and time zone', line: 'skyctl profile update --email me@example.net --timezone UTC' },
      {
        what: 'Add a key, and keep the others',
        line: 'skyctl profile update --add-authorized-key "$(cat ~/.ssh/id_ed25519.pub)"',
      },
      {
        what: 'Keys only in the remote shell',
        line: 'skyctl profile update --shell-auth-method keys_only --authorized-keys-file ~/.ssh/id_ed25519.pub',
      },
    ],
  },
})
