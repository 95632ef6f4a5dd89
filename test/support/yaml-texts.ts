/** Texts for which a YAML reader may find another type, or that need quotes or escapes. */
import fc, { anyCharacter } from './fast-check'

/** Parts of numbers, dates, words with a meaning and syntax, of which random texts are made. */
const parts = [
  ...'0127889aAbBeEfFnNoOxXyYtTzZ_'.split(''),
  ...`.,:;-+=~<>/|\\!?&*#%@\`'"()[]{} \t`.split(''),
  ...['  ', ': ', ' #', '- ', '? ', '---', '...', '\n', '\r\n', '<<', '!!', '0x', '0o', '0b', '1_000', '1,000', '1e3'],
  ...[
    '.inf',
    '.Inf',
    '.nan',
    'NaN',
    'null',
    'Null',
    'nULL',
    'true',
    'tRUE',
    'False',
    'yes',
    'No',
    'oN',
    'off',
    '12e4567',
  ],
  ...['2026-01-31', '2026-1-3', 'T10:11:12', ' 10:11:12', '.5', '+01:00', 'Z', '190:20:30', ':prod', 'us-east', 'web'],
  ...[
    '192.0.2.1',
    '2001:db8::',
    '::1',
    '/24',
    'é',
    '日本',
    '👨\u200d💻',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
  ],
]

const readable = fc.constantFrom(...parts)

const anyText = fc.oneof(
  { weight: 8, arbitrary: fc.array(readable, { maxLength: 4 }) },
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...'0123456789.,:_-+eExob'.split('')), { maxLength: 8 }) },
  { weight: 2, arbitrary: fc.array(readable, { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(anyCharacter, fc.constant('')), { maxLength: 8 }) },
)

/** Lone surrogates are not texts: PyYAML reads their escapes, and psych refuses them. */
const isText = (text: string) => !/\p{Cs}/u.test(text)

/** Returns different texts. The same seed and count return the same ones. */
export function yamlTexts(seed: number, count: number): string[] {
  const texts = fc.sample(anyText.map((chosen) => chosen.join('')).filter(isText), { seed, numRuns: 3 * count })
  return [...new Set(texts)].slice(0, count)
}

/** Puts each text where a document of skyctl may have it: in lists, as a key, in records, and in an object of lists. */
export const documentOf = (texts: readonly string[]) => ({
  values: texts,
  keys: Object.fromEntries(texts.map((text) => [text, text])),
  records: texts.map((text) => ({ label: text, tags: [text, text], [text]: text })),
  lists: Object.fromEntries(texts.map((text) => [text, { [text]: [text, 'a', text] }])),
})
