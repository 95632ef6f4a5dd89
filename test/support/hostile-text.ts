/**
 * Characters that a terminal must never receive, as code points of reliability.md and not as the Unicode classes of the
 * code.
 */
const ranges: readonly [number, number][] = [
  [0, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]

export function isHostile(char: string): boolean {
  const code = char.codePointAt(0) ?? 0
  return ranges.some(([from, to]) => code >= from && code <= to)
}
