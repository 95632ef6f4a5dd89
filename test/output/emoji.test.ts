import { expect, test } from 'vitest'
import { emojiTest, joiner } from '../../src/rules/emoji'

test('of a text, so many different chains are looked up, and the others are taken for none', () => {
  const family = ['👩', '👩', '👦'].join(joiner)
  const pictures = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(0x1f400 + index))
  const isEmoji = emojiTest()
  expect(pictures.filter((picture) => isEmoji([picture, picture].join(joiner)))).toEqual([])
  expect(isEmoji(family)).toBe(false)
  expect(emojiTest()(family)).toBe(true)
  // What is known by now takes no look-up.
  expect(isEmoji(family)).toBe(true)
})
