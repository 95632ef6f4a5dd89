/** Plans of SSH keys, which the API cannot change: a new key replaces the old one (state.md). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const old = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'
const fileKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'
const odd = 'ssh-old AAAAB3NzaC1kc3MAAAA'

const accountWith = (...keys: string[]) => ({
  sshkeys: keys.map((ssh_key, index) => ({ id: 1 + index, label: 'desk', ssh_key })),
})
const fileWith = (ssh_key: string) => JSON.stringify({ sshkeys: { desk: { ssh_key } } })

const add = ['profile sshkeys add', { label: 'desk', ssh_key: fileKey }]
const remove = (id: number) => ['profile sshkeys delete', String(id)]

describe('an SSH key', () => {
  test.for<[result: string, present: string[], ...steps: unknown[][]]>([
    ['is added', [], add],
    ['stays', [fileKey]],
    ['stays with another comment', [`${fileKey} ada@desk`]],
    ['is added before the old one is deleted', [old], add, remove(1)],
    ['stays, and the older one is deleted', [old, fileKey], remove(1)],
  ])('%s', async ([, present, ...steps]) => {
    expect(await stepsOf(fileWith(fileKey), accountWith(...present))).toEqual(steps)
  })

  test('replaces the old key, which does not count as a duplicate', async () => {
    const optionsOf = async (...present: string[]) => {
      const { objects } = await planOf(fileWith(fileKey), accountWith(...present))
      return objects.flatMap(({ steps }) => steps.map(({ options }) => options))
    }
    expect(await optionsOf()).toEqual([{ ifAbsent: true }])
    expect(await optionsOf(old)).toEqual([{ ifAbsent: true, replaces: '1' }, { ifPresent: true }])
    expect(await linesOf(fileWith(fileKey), accountWith(old))).toEqual([
      'ssh-ed25519 key',
      'another ssh-ed25519 key of this label is deleted',
      'destroys: the key with this label; instances keep their copies',
    ])
  })

  test.for<[cause: string, present: string[], next: string]>([
    ['the key of the file is the older one', [fileKey, old], 'Rename one: skyctl profile sshkeys update 2'],
    ['two other keys are older', [old, other, fileKey], 'Rename all but one: skyctl profile sshkeys update 1'],
    ['neither key is that of the file', [old, other], 'Rename one: skyctl profile sshkeys update 1'],
    ['both keys are that of the file', [fileKey, fileKey], 'Rename one: skyctl profile sshkeys update 2'],
  ])('is rejected, with a key to rename, if the one to delete is not certain: %s', async ([, present, next]) => {
    const ids = present.map((_, index) => 1 + index).join(', ')
    const text = `${present.length} SSH keys of the account have this label: ${ids}. ${next} --label desk-2`
    expect(await refusalsOf(fileWith(fileKey), accountWith(...present))).toEqual([
      ['a.yaml:1', 'refused', `sshkeys.desk: ${text}`],
    ])
  })

  test('is rejected if the API rejects its type, unless the account has the key', async () => {
    expect(await refusalsOf(fileWith(odd), accountWith())).toEqual([
      ['a.yaml:1', 'refused', expect.stringMatching(/^sshkeys\.desk\.ssh_key: Must begin with one of: ssh-ed25519, /)],
    ])
    expect(await stepsOf(fileWith(odd), accountWith(odd))).toEqual([])
  })
})
