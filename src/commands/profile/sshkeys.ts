import * as actions from '../../account/actions/profile'
import type { RequestBody } from '../../account/change-context'
import { refusePrivateKey } from '../../account/refuse-private-keys'
import type { ResolvedTarget } from '../../account/resolved-target'
import { sshKeyResource } from '../../account/resources/profile'
import type { AnswerRecord } from '../../catalogue/operation'
import { profile } from '../../catalogue/profile/profile'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { changeCommand } from '../../engine/change-command'
import type { CommandContext } from '../../engine/change-command-context'
import { ifAbsentFlag } from '../../engine/change-flags'
import type { CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { textFlag } from '../../engine/flag-values'
import { listCommand } from '../../engine/list'
import type { Session } from '../../engine/session'
import { viewCommand } from '../../engine/view-command'
import { Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { sentences } from '../change-messages'

const keyColumns = columnsFor<AnswerRecord<typeof sshkeys.list>>(['id', 'label', 'created', 'ssh_key'])

/** Reads the key from a file, from stdin (`-`), or from the command line; without the trailing line break. */
async function withKey(body: RequestBody, { flags, session }: CommandContext): Promise<RequestBody> {
  const file = textFlag(flags, 'file')
  const input = textFlag(flags, 'ssh-key')
  if (file !== undefined && input !== undefined) {
    throw new Problem('usage', '--ssh-key and --file contradict each other')
  }
  const source = file ?? (input === '-' ? '-' : undefined)
  const { readText } = await import('../../engine/body-file')
  const ssh_key = source === undefined ? body.ssh_key : (await readText(source, session)).trim()
  refusePrivateKey('ssh_key', ssh_key)
  return ssh_key === undefined ? body : { ...body, ssh_key }
}

/** Reports whether the last keys are deleted while remote access requires keys. */
async function areLastKeys(subjects: readonly ResolvedTarget[], session: Session): Promise<boolean> {
  const client = await session.account.client()
  const { shell_auth_method } = await client.call(profile.view)
  if (shell_auth_method !== 'keys_only') return false
  const keys = await Promise.all(subjects.map((subject) => subject.find()))
  const going = new Set(keys.map(({ id }) => id))
  for await (const page of client.pages(sshkeys.list)) if (page.some(({ id }) => !going.has(id))) return false
  return true
}

const addKey = changeCommand({
  name: 'add',
  aliases: ['create'],
  action: actions.addSshKey,
  columns: keyColumns,
  input: {
    flags: (derived) => [
      ...derived.filter(({ name }) => name !== 'ssh-key'),
      { name: 'file', value: 'file', description: 'Read the public key from a file; - is stdin', values: 'files' },
      {
        name: 'ssh-key',
        value: 'text',
        description: 'The public key itself, as in a file that ends with .pub; - is stdin',
      },
      ifAbsentFlag,
    ],
    names: { ssh_key: '--file or --ssh-key' },
    complete: withKey,
  },
  ...sentences['profile sshkeys add'],
  help: {
    details:
      'Either --file or --ssh-key is required. The key opens the root account of instances that are deployed with it.',
    moreDetails: 'A label has at most 64 characters.',
    examples: [
      {
        what: 'The key of this computer',
        line: 'skyctl profile sshkeys add --label notebook --file ~/.ssh/id_ed25519.pub',
      },
    ],
  },
})

const updateKey = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateSshKey,
  columns: keyColumns,
  ...sentences['profile sshkeys update'],
  help: {
    details: 'The key itself cannot change. A label has at most 64 characters.',
    examples: [{ what: 'Another label', line: 'skyctl profile sshkeys update laptop --label old-laptop' }],
  },
})

const deleteKey = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteSshKey,
  columns: keyColumns,
  input: { accepts: 'several' },
  question(_body, { session }) {
    return async ({ names, several, targets: found }) => {
      const text = `Instances keep ${several ? 'their copies' : 'their copy'}. Delete ${names} from the profile`
      if (found.length === 0 || !(await areLastKeys(found, session))) return text
      return `No key will remain, and the remote shell accepts only keys. ${text}`
    }
  },
  ...sentences['profile sshkeys delete'],
  help: {
    examples: [{ what: 'Ask first, then delete', line: 'skyctl profile sshkeys delete laptop' }],
  },
})

const group: CommandGroup = {
  name: 'sshkeys',
  aliases: ['sshkey', 'ssh-keys', 'ssh-key'],
  summary: 'SSH public keys for new compute instances',
  commands: eagerCommands(
    listCommand(sshkeys.list, {
      columns: keyColumns,
      plural: 'SSH keys',
      test: 'label~laptop',
      examples: [
        { what: 'For an authorized_keys file', line: "skyctl profile sshkeys list --query '[].ssh_key' -o tsv" },
      ],
    }),
    addKey,
    viewCommand(sshKeyResource, {
      columns: keyColumns,
      examples: [{ what: 'Only the key', line: 'skyctl profile sshkeys view laptop --query ssh_key -o tsv' }],
    }),
    updateKey,
    deleteKey,
  ),
}

export default group
