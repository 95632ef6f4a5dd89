/** On which account a run acts, and what a person must know of that. */
import { Problem } from '../errors'
import { tokenVariable } from '../rules/variables'
import { type Config, SANDBOX } from './contexts'
import { type Choice, type Credential, chooseCredential } from './credential'
import { overrideOf } from './overrides'

interface Acting {
  credential: Credential
  /** What names the account; undefined where there is nothing to confuse it with. */
  name: string | undefined
  /** What the environment overrides, or which of it is not used, as a sentence. */
  override: string | undefined
}

export function actingOn(choice: Choice): Acting {
  const credential = chooseCredential(choice)
  const { config, env } = choice
  const contexts = config instanceof Problem ? new Map() : config.contexts
  return { credential, name: nameOf(credential, { contexts, env }), override: overrideOf(credential, env) }
}

/** The context, or the variable and the address that stand in its place. */
function nameOf(
  credential: Credential,
  { contexts, env }: { contexts: Config['contexts']; env: Choice['env'] },
): string | undefined {
  if (credential.sandbox) return SANDBOX
  const { context, baseUrl, secret } = credential
  const own = context?.record !== undefined && 'from' in secret && secret.from === 'context'
  if (own) return contexts.size > 1 ? context.name : undefined
  return contexts.size > 0 ? `${tokenVariable(env) ?? 'SKYCTL_TOKEN'} at ${new URL(baseUrl).host}` : undefined
}
