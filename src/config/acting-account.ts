/** Account that a command acts on, and how it is named to the user. */
import { Problem } from '../errors'
import { tokenVariable } from '../rules/environment'
import { type Config, SANDBOX } from './contexts'
import { type Credential, type CredentialInput, chooseCredential } from './credential'

interface Acting {
  credential: Credential
  /** Name of the account; undefined if there is only one. */
  name: string | undefined
  /** Warning if the environment overrides the context or is ignored, as a sentence. */
  override: string | undefined
}

export async function actingOn(choice: CredentialInput): Promise<Acting> {
  const credential = await chooseCredential(choice)
  const { config, env } = choice
  const contexts = config instanceof Problem ? new Map() : config.contexts
  const override = credential.context && (await import('./override-warnings')).overrideOf(credential, env)
  return { credential, name: nameOf(credential, { contexts, env }), override }
}

/** Returns the context's name, or the token variable and host that replace it. */
function nameOf(
  credential: Credential,
  { contexts, env }: { contexts: Config['contexts']; env: CredentialInput['env'] },
): string | undefined {
  if (credential.sandbox) return SANDBOX
  const { context, baseUrl, secret } = credential
  const own = context?.record !== undefined && 'from' in secret && secret.from === 'context'
  if (own) return contexts.size > 1 ? context.name : undefined
  return context || contexts.size > 0
    ? `${tokenVariable(env) ?? 'SKYCTL_TOKEN'} at ${new URL(baseUrl).host}`
    : undefined
}
