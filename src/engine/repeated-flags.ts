/** Hints for flags that take one value and are set twice. */
import type { Hint } from './hint'
import type { UsageError } from './usage-error'

/** A label of hcloud is a tag here: `--label env=prod --label team=web`. */
export function repeatedHint({ flag, parser }: UsageError, argv: readonly string[]): Hint {
  const takesTags = flag === '--label' && parser.options.some(({ long }) => long === '--tag')
  const isTag = (place: number) => argv[place] === '--label' && /^[\w./-]+=/.test(argv[place + 1] ?? '')
  const withTags = argv.map((word, place) =>
    isTag(place) ? '--tag' : word.replace(/^--label=(?=[\w./-]+=)/, '--tag='),
  )
  const isSame = withTags.every((word, place) => word === argv[place])
  return !takesTags || isSame ? { text: 'Keep one of them' } : { text: 'Did you mean --tag?', argv: withTags }
}
