/** The hint for `tokens create --for "skyctl plan account.yaml"`: the command whose scopes the token needs. */
import { shellWord } from '../rules/texts'
import { type Hint, replaceFlagAndValue } from './hint'
import type { UnknownFlag } from './own-flag-hints'
import { pathOf } from './usage-error'

export function scopesForHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, value, argv, parser } = unknown
  if (pathOf(parser) !== 'skyctl tokens create' || !/^--(for|commands?)$/.test(flag) || value === undefined)
    return undefined
  const command = value.replace(/^skyctl\s+/, '')
  const hasLabel = argv.some((word) => /^--(label|name|description)(=|$)/.test(word))
  const label = hasLabel ? [] : ['--label', 'ci']
  return {
    text: `Did you mean --scopes-for ${shellWord(command)}?`,
    argv: replaceFlagAndValue(unknown, [...label, '--scopes-for', command]),
  }
}
