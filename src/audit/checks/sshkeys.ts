/** SSH keys of the profile, which instances are deployed with. */
import { groupBy } from '../../rules/groups'
import { rsaBits, sshKeyData, sshKeyType } from '../../rules/ssh-keys'
import { check } from '../check'

/** NIST SP 800-131A, Rev. 2, table 2. */
const leastRsaBits = 2048

const remove = (id: number) => ['profile', 'sshkeys', 'delete', String(id)]

export const sshKeyWeak = check({
  code: 'ssh-key-weak',
  severity: 'high',
  title: 'SSH keys are weak',
  needs: ['sshkeys'],
  find: ({ sshkeys }) =>
    sshkeys.flatMap(({ id, label, ssh_key }) => {
      const weakness = weaknessOf(ssh_key)
      if (weakness === undefined) return []
      return [{ subject: { kind: 'sshkey', id, label }, reason: weakness, command: remove(id) }]
    }),
})

function weaknessOf(key: string): string | undefined {
  if (sshKeyType(key) === 'ssh-dss') return 'it is of DSA, which OpenSSH takes no more'
  const bits = rsaBits(key) ?? Number.POSITIVE_INFINITY
  return bits < leastRsaBits ? `it is of RSA with ${bits} bits, under ${leastRsaBits}` : undefined
}

export const sshKeyTwice = check({
  code: 'ssh-key-twice',
  severity: 'low',
  title: 'SSH keys stand there twice',
  needs: ['sshkeys'],
  find: ({ sshkeys }) =>
    [...groupBy(sshkeys, ({ ssh_key }) => sshKeyData(ssh_key)).values()].flatMap(([first, ...others]) =>
      others.map(({ id, label }) => ({
        subject: { kind: 'sshkey', id, label },
        reason: `the same key as "${first?.label}" (${first?.id})`,
        command: remove(id),
      })),
    ),
})
