/** Plans of SSH keys, which the service cannot change: another one takes the place of the old one (state.md). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const old = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'
const wanted = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'
const odd = 'ssh-old AAAAB3NzaC1kc3MAAAA'

const having = (...keys: string[]) => ({
  sshkeys: keys.map((ssh_key, index) => ({ id: 1 + index, label: 'desk', ssh_key })),
})
const wanting = (ssh_key: string) => JSON.stringify({ sshkeys: { desk: { ssh_key } } })

const add = ['profile sshkeys add', { label: 'desk', ssh_key: wanted }]
const remove = (id: number) => ['profile sshkeys delete', String(id)]

describe('an SSH key', () => {
  test.for<[what: string, present: string[], ...steps: unknown[][]]>([
    ['is added', [], add],
    ['stays', [wanted]],
    ['stays with another comment', [`${wanted} ada@desk`]],
    ['is added before the old one is deleted', [old], add, remove(1)],
    ['stays, and the older one is deleted', [old, wanted], remove(1)],
  ])('%s', async ([, present, ...steps]) => {
    expect(await stepsOf(wanting(wanted), having(...present))).toEqual(steps)
  })

  test('takes the place of the old one, which does not count as its duplicate', async () => {
    const optionsOf = async (...present: string[]) => {
      const { objects } = await planOf(wanting(wanted), having(...present))
      return objects.flatMap(({ steps }) => steps.map(({ options }) => options))
    }
    expect(await optionsOf()).toEqual([{ ifAbsent: true }])
    expect(await optionsOf(old)).toEqual([{ ifAbsent: true, replaces: '1' }, { ifPresent: true }])
    expect(await linesOf(wanting(wanted), having(old))).toEqual([
      'ssh-ed25519 key',
      'another ssh-ed25519 key of this label is deleted',
      'destroys: the key with this label; instances keep their copies',
    ])
  })

  test.for<[what: string, present: string[]]>([
    ['the one of the file is the older one', [wanted, old]],
    ['two others are older', [old, other, wanted]],
    ['neither of two is the one of the file', [old, other]],
    ['both are the one of the file', [wanted, wanted]],
  ])('is refused where it is not certain which one to delete: %s', async ([, present]) => {
    const ids = present.map((_, index) => 1 + index).join(', ')
    expect(await refusalsOf(wanting(wanted), having(...present))).toEqual([
      ['a.yaml:1', 'refused', `sshkeys.desk: ${present.length} SSH keys of the account have this label: ${ids}`],
    ])
  })

  test('of a type that the service refuses is refused, unless the account has it', async () => {
    expect(await refusalsOf(wanting(odd), having())).toEqual([
      ['a.yaml:1', 'refused', expect.stringMatching(/^sshkeys\.desk\.ssh_key: Must begin with one of: ssh-ed25519, /)],
    ])
    expect(await stepsOf(wanting(odd), having(odd))).toEqual([])
  })
})
