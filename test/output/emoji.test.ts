import { expect, test } from 'vitest'
import { emojiTest, joiner } from '../../src/rules/emoji'

test('an emoji test looks up a limited number of different chains, and takes the others for no emoji', () => {
  const family = ['👩', '👩', '👦'].join(joiner)
  const pictures = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(0x1f400 + index))
  const isEmoji = emojiTest()
  expect(pictures.filter((picture) => isEmoji([picture, picture].join(joiner)))).toEqual([])
  expect(isEmoji(family)).toBe(false)
  expect(emojiTest()(family)).toBe(true)
  // The family is in the cache by now.
  expect(isEmoji(family)).toBe(true)
})
