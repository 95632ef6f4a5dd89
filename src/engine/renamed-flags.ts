/** Hints that rename a flag of another tool, with its value in the form that skyctl takes. */
import { queryFromJq } from '../output/jq'
import { shellWord } from '../rules/texts'
import { type Hint, rename, replaceFlagAndValue } from './hint'
import type { UnknownFlag } from './own-flag-hints'
import { sortFieldIn } from './unknown-fields'
import { pathOf } from './usage-error'

/** Values of flags of other tools in the form of skyctl. */
const forms: Readonly<Record<string, (value: string) => string | undefined>> = {
  '--size': (value) => /^(\d+) ?Gi?B?$/i.exec(value)?.[1],
  '--sort': sortFieldIn,
}

/** Proposes another name for a flag, and for its value the form that this flag takes. */
export function withForm(name: string, unknown: UnknownFlag): Hint {
  const { value } = unknown
  const form = value === undefined ? undefined : name === '--query' ? queryOf(value, unknown) : forms[name]?.(value)
  if (name === '--query' && value !== undefined && form === undefined) return pipeHint(value, unknown)
  if (form === undefined || form === value) return rename(unknown, name)
  return { text: `Did you mean ${name} ${shellWord(form)}?`, argv: replaceFlagAndValue(unknown, [name, form]) }
}

/** An answer of `api` has the list in `data`. */
const queryOf = (value: string, { argv, parser }: UnknownFlag) =>
  queryFromJq(value, parser.name() === 'api' && !argv.includes('--paginate'))

/** `--jq '.[] | select(.size > 100)'`: more than a path, for which jq itself is the simplest. */
function pipeHint(expression: string, unknown: UnknownFlag): Hint {
  const { argv, parser } = unknown
  const pipe = ` | jq ${shellWord(expression)}`
  const isJson = argv.some((word) => /^(--json|-o|--output)(=|$)/.test(word))
  return {
    text: 'Pipe JSON to jq',
    argv: replaceFlagAndValue(unknown, isJson ? [] : ['--json']),
    pipe,
    form: `${pathOf(parser)} --json${pipe}`,
  }
}
