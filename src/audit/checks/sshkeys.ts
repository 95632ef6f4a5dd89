/** Checks the SSH keys of the profile, which new instances are deployed with. */
import { groupBy } from '../../rules/records'
import { rsaBits, sshKeyData, sshKeyType } from '../../rules/ssh-keys'
import { auditCheck, labelWith } from '../check'

/** Minimum of NIST SP 800-131A, Rev. 2, table 2. */
const leastRsaBits = 2048

/** Maximum length of a label (api.md, Limits). */
const longestLabel = 64

const remove = (id: number) => ['profile', 'sshkeys', 'delete', String(id)]

export const sshKeyWeak = auditCheck({
  code: 'ssh-key-weak',
  severity: 'high',
  title: 'SSH keys are weak',
  needs: ['sshkeys'],
  find: ({ sshkeys }) =>
    sshkeys.flatMap(({ id, label, ssh_key }) => {
      const weakness = weaknessOf(ssh_key)
      if (weakness === undefined) return []
      const command = [
        'profile',
        'sshkeys',
        'add',
        '--label',
        labelWith(label, '-new', longestLabel),
        '--file',
        'NEW_KEY.pub',
      ]
      return [{ subject: { kind: 'sshkey', id, label }, reason: weakness, command, alternatives: [remove(id)] }]
    }),
})

function weaknessOf(key: string): string | undefined {
  if (sshKeyType(key) === 'ssh-dss') return 'it is a DSA key, which OpenSSH no longer accepts'
  const bits = rsaBits(key) ?? Number.POSITIVE_INFINITY
  return bits < leastRsaBits ? `it is an RSA key of ${bits} bits, fewer than ${leastRsaBits}` : undefined
}

export const sshKeyTwice = auditCheck({
  code: 'ssh-key-twice',
  severity: 'low',
  title: 'SSH keys are stored twice',
  needs: ['sshkeys'],
  find: ({ sshkeys }) =>
    [...groupBy(sshkeys, ({ ssh_key }) => sshKeyData(ssh_key)).values()].flatMap(([first, ...others]) =>
      others.map(({ id, label }) => ({
        subject: { kind: 'sshkey', id, label },
        reason: `the same key as "${first?.label}" (${first?.id})`,
        command: remove(id),
        alternatives: [['profile', 'sshkeys', 'view', String(id)]],
      })),
    ),
})
