import { Problem } from '../errors'
import { type Environment, tokenVariable } from '../rules/environment'
import { shellWord } from '../rules/texts'
import { originOf, parseBaseUrl } from './base-url'
import {
  type ChosenContext,
  type Config,
  type Credential,
  type RemoteCredential,
  SANDBOX,
  type Secret,
  type StoredContext,
  type ValueSource,
} from './contexts'
import { parseToken } from './token'

export interface CredentialInput {
  flags: { context?: string | undefined; baseUrl?: string | undefined }
  env: Environment
  /** Contexts, or the error of reading them, which is thrown only if they are needed. */
  config: Config | Problem
}

/** Selects a context by flag, environment or contexts file, in this order; undefined if none is named. */
export async function chooseContext({ flags, env, config }: CredentialInput): Promise<ChosenContext | undefined> {
  if (flags.context !== undefined) return findContext(flags.context, 'flag', config)
  if (env.SKYCTL_CONTEXT) return findContext(env.SKYCTL_CONTEXT, 'environment', config)
  const { current } = readable(config)
  return current === undefined ? undefined : findContext(current, 'context', config)
}

/**
 * Selects address and token, each by flag, environment or context in this order. A context named by flag provides both.
 * A stored token is only sent to the origin of its context. A token of the environment is only sent to SKYCTL_BASE_URL
 * if that is set. A sandbox named by flag or SKYCTL_CONTEXT uses nothing from the environment; a stored one is overridden.
 */
export async function chooseCredential(choice: CredentialInput): Promise<Credential> {
  const { flags } = choice
  const { context, unreadable } = await contextInUse(choice)
  if (context?.name === SANDBOX && !(context.from === 'context' && namesAccount(choice))) {
    if (flags.baseUrl === undefined) return { sandbox: true, context }
    throw new Problem('usage', `--base-url cannot be used with the context "${SANDBOX}"`, {
      hint: 'Name another context with --context',
    })
  }
  const env = context?.from === 'flag' ? {} : choice.env
  const place = chooseBaseUrl({ flags, env }, context)
  const stored = unreadable ?? storedSecret(context, place)
  return { sandbox: false, context, ...place, secret: chooseSecret(env, stored, place.baseUrl) }
}

/** Returns the token; throws `not_signed_in` if there is none, errors of its file, or the reason of `signal`. */
export async function tokenOf(
  { secret }: RemoteCredential,
  env: CredentialInput['env'],
  signal?: AbortSignal,
): Promise<string> {
  if (secret instanceof Problem) throw secret
  if ('token' in secret) return parseToken(secret.token)
  if ('command' in secret) return (await import('./token-command')).runTokenCommand(secret.command, env, { signal })
  return (await import('./token-file')).readTokenFile(secret.file)
}

async function findContext(name: string, from: ValueSource, config: CredentialInput['config']): Promise<ChosenContext> {
  if (name === SANDBOX) return { name, from, record: undefined }
  const { contexts } = readable(config)
  const record = contexts.get(name)
  if (record) return { name, from, record }
  const { didYouMean } = await import('../rules/nearest')
  const hint = didYouMean(name, [...contexts.keys(), SANDBOX]) ?? 'See skyctl context list'
  const source = from === 'environment' ? ' (from SKYCTL_CONTEXT)' : ''
  throw new Problem('context_not_found', `context "${name}"${source} not found`, { hint })
}

function readable(config: CredentialInput['config']): Config {
  if (config instanceof Problem) throw config
  return config
}

/** Reports whether flag or environment name an address or a token, which override the stored context. */
function namesAccount({ flags, env }: CredentialInput): boolean {
  return flags.baseUrl !== undefined || Boolean(env.SKYCTL_BASE_URL) || tokenVariable(env) !== undefined
}

/** Selects the context. Unreadable contexts are ignored if no context is named and the address is known. */
async function contextInUse(
  choice: CredentialInput,
): Promise<{ context?: ChosenContext | undefined; unreadable?: Problem }> {
  const { flags, env } = choice
  try {
    return { context: await chooseContext(choice) }
  } catch (error) {
    const optional =
      flags.context === undefined && !env.SKYCTL_CONTEXT && (flags.baseUrl !== undefined || env.SKYCTL_BASE_URL)
    if (optional && error instanceof Problem) return { unreadable: error }
    throw error
  }
}

type Place = Pick<RemoteCredential, 'baseUrl' | 'baseUrlFrom'>

function chooseBaseUrl(
  { flags, env }: Pick<CredentialInput, 'flags' | 'env'>,
  context: ChosenContext | undefined,
): Place {
  if (flags.baseUrl !== undefined) return { baseUrl: parseBaseUrl(flags.baseUrl, '--base-url'), baseUrlFrom: 'flag' }
  if (env.SKYCTL_BASE_URL) {
    return { baseUrl: parseBaseUrl(env.SKYCTL_BASE_URL, 'SKYCTL_BASE_URL'), baseUrlFrom: 'environment' }
  }
  if (context?.record) return { baseUrl: ownBaseUrl(context.name, context.record), baseUrlFrom: 'context' }
  const variable = tokenVariable(env)
  if (!variable) {
    throw new Problem('not_signed_in', 'not signed in', {
      hint: 'Sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox volumes list',
    })
  }
  const other = context ? `use the ${SANDBOX} with --context ${SANDBOX}` : 'sign in with skyctl auth login'
  throw new Problem('not_signed_in', `${variable} is set, but no base URL`, {
    hint: `Set SKYCTL_BASE_URL, or ${other}`,
  })
}

function chooseSecret(env: Environment, stored: Secret | Problem, baseUrl: string): Secret | Problem {
  const variable = tokenVariable(env)
  if (!variable) return stored
  const own = env.SKYCTL_BASE_URL
  if (!own || originOf(parseBaseUrl(own, 'SKYCTL_BASE_URL')) === originOf(baseUrl)) return environmentSecret(env)
  if (!(stored instanceof Problem)) return stored
  return new Problem('not_signed_in', `not signed in to ${originOf(baseUrl)}: ${variable} is for SKYCTL_BASE_URL`, {
    hint: 'Set SKYCTL_BASE_URL to that address too, or sign in there with skyctl auth login',
  })
}

/** Reads the token variables. Two tokens are an error, because they may belong to different users. */
function environmentSecret({ SKYCTL_TOKEN: token, SKYCTL_TOKEN_FILE: file }: Environment): Secret | Problem {
  if (token && file) {
    return new Problem('usage', 'SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set', { hint: 'Unset one of them' })
  }
  return file ? { from: 'environment', file } : { from: 'environment', token: token ?? '' }
}

function storedSecret(context: ChosenContext | undefined, { baseUrl, baseUrlFrom }: Place): Secret | Problem {
  if (!context?.record) {
    // The half that is set: a job whose secret is missing has an address, but no token.
    const setting = baseUrlFrom === 'flag' ? '--base-url' : 'SKYCTL_BASE_URL'
    return new Problem('not_signed_in', `${setting} is set, but no token`, {
      hint: 'Set SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, or sign in with skyctl auth login',
    })
  }
  const { name, record } = context
  const secret = secretOf(record)
  const origin = originOf(baseUrl)
  const own = originOf(ownBaseUrl(name, record))
  if (!secret) {
    return new Problem('not_signed_in', `context "${name}" is signed out`, {
      hint: `Sign in again: skyctl auth login --context ${shellWord(name)}`,
    })
  }
  if (origin === own) return secret
  return new Problem('not_signed_in', `not signed in to ${origin}: the token of context "${name}" is for ${own}`, {
    hint: 'Set SKYCTL_TOKEN, or sign in there with skyctl auth login',
  })
}

function secretOf({ token, token_command: command }: StoredContext): Secret | undefined {
  if (token) return { from: 'context', token }
  return command ? { from: 'context', command } : undefined
}

function ownBaseUrl(name: string, { base_url }: StoredContext): string {
  return parseBaseUrl(base_url, `the base URL of context "${name}"`)
}

interface Acting {
  credential: Credential
  /** Name of the account; undefined if there is only one. */
  name: string | undefined
  /** Warning if the environment overrides the context or is ignored, as a sentence. */
  override: string | undefined
}

export async function actingOn(choice: CredentialInput): Promise<Acting> {
  const credential = await chooseCredential(choice)
  const override = credential.context && (await import('./override-warnings')).overrideOf(credential, choice.env)
  return { credential, name: accountName(credential, choice), override }
}

/** Returns the context's name, or the token variable and host that replace it. */
function accountName(credential: Credential, { config, env }: CredentialInput): string | undefined {
  if (credential.sandbox) return SANDBOX
  const { context, baseUrl, secret } = credential
  const stored = config instanceof Problem ? 0 : config.contexts.size
  const isOwn = context?.record !== undefined && 'from' in secret && secret.from === 'context'
  if (isOwn) return stored > 1 ? context.name : undefined
  return context || stored > 0 ? `${tokenVariable(env) ?? 'SKYCTL_TOKEN'} at ${new URL(baseUrl).host}` : undefined
}
