/** Warns if the environment overrides a context or is ignored, so that nobody uses the wrong account by mistake. */
import { type Environment, tokenVariable } from '../rules/environment'
import { joinNames } from '../rules/texts'
import { type ChosenContext, type Credential, SANDBOX } from './contexts'

const address = 'SKYCTL_BASE_URL'

/** Returns a warning; undefined if the environment and the current context agree. */
export function overrideOf(credential: Credential, env: Environment): string | undefined {
  if (credential.sandbox) {
    // Without an address, the token is likely one of a sandbox: only the server checks tokens.
    const step = env[address]
      ? '; to use another account, unset SKYCTL_CONTEXT'
      : '. To try a token, unset SKYCTL_CONTEXT and set the SKYCTL_BASE_URL that "skyctl sandbox start" prints'
    const way = env.SKYCTL_CONTEXT === SANDBOX ? step : ''
    return unused(set(env), `the context "${SANDBOX}" is built in${way}`)
  }
  const { context, baseUrlFrom, secret } = credential
  if (context?.from === 'flag') {
    return unused(differing(context, env), `--context ${context.name} uses its own address and token`)
  }
  const tokenFrom = 'from' in secret ? secret.from : undefined
  const token = tokenVariable(env)
  if (token && tokenFrom === 'context') return unused([token], `it is for ${address}`)
  if (!context) return undefined
  const won = differing(context, env).filter((name) => (name === address ? baseUrlFrom : tokenFrom) === 'environment')
  if (won.join() === token && baseUrlFrom === 'context') {
    return `using ${token} instead of the token of context "${context.name}"`
  }
  return overrides(won, `context "${context.name}"`)
}

/** Returns a warning for the context `name` that has just become current. */
export function overrideOfUse(name: string, context: ChosenContext['record'], env: Environment): string | undefined {
  const decides = env.SKYCTL_CONTEXT
  if (decides && decides !== name) {
    return `SKYCTL_CONTEXT=${decides} overrides the current context; unset it`
  }
  return overrides(differing({ record: context }, env), `context "${name}"`)
}

const set = (env: Environment) => [address, 'SKYCTL_TOKEN', 'SKYCTL_TOKEN_FILE'].filter((name) => env[name])

/** Lists the variables that differ from the context; all do from the sandbox, which has no record. */
function differing({ record }: Pick<ChosenContext, 'record'>, env: Environment): string[] {
  const own: Environment = { [address]: record?.base_url, SKYCTL_TOKEN: record?.token }
  return set(env).filter((name) => env[name]?.trim() !== own[name])
}

function unused(names: readonly string[], why: string): string | undefined {
  if (names.length === 0) return undefined
  return `${joinNames(names, 'and')} ${names.length === 1 ? 'is' : 'are'} not used: ${why}`
}

function overrides(names: readonly string[], what: string): string | undefined {
  if (names.length === 0) return undefined
  const [verb, them] = names.length === 1 ? ['overrides', 'it'] : ['override', 'them']
  return `${joinNames(names, 'and')} ${verb} ${what}; unset ${them} to use that`
}
