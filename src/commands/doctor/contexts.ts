/** Checks the contexts, and the current one. */
import { parseBaseUrl, shownBaseUrl } from '../../config/base-url'
import { type Config, SANDBOX } from '../../config/contexts'
import type { ChosenContext, Credential } from '../../config/credential'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { shellWord } from '../../rules/texts'
import { type Diagnosis, ofProblem, ok, orProblem, skipped, warning } from './diagnosis'
import { reachable } from './machine'

export async function lookAtContexts(session: Session): Promise<Diagnosis[]> {
  const folder = await orProblem(() => reachable('config', session.account.local.paths), session.signal)
  if (folder === undefined) return [skipped('contexts', 'the folder cannot be read')]
  const config = await orProblem(() => session.config.read(), session.signal)
  const chosen = await orProblem(() => session.account.access.context(), session.signal)
  if (config instanceof Problem) return [ofProblem('contexts', config)]
  const diagnosis =
    chosen instanceof Problem ? ofProblem('contexts', chosen) : ok('contexts', sentenceOf(config, chosen))
  return [diagnosis, ...wrongAddresses(config)]
}

const bySource = { flag: 'from --context', environment: 'from SKYCTL_CONTEXT', context: 'from "context use"' }

function sentenceOf({ contexts }: Config, chosen: ChosenContext | undefined): string {
  const count = contexts.size === 0 ? 'none' : [...contexts.keys()].map((name) => `"${name}"`).join(', ')
  return chosen ? `${count}; "${chosen.name}" is current, ${bySource[chosen.from]}` : `${count}; none is current`
}

function wrongAddresses({ contexts }: Config): Diagnosis[] {
  return [...contexts].flatMap(([name, { base_url }]) => {
    try {
      parseBaseUrl(base_url, `the base URL of context "${name}"`)
      return []
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return [warning('contexts', error.message, `skyctl auth login --context ${shellWord(name)} --base-url URL`)]
    }
  })
}

/** Returns the address of the service. */
export function addressOf(credential: Credential): Diagnosis {
  if (credential.sandbox) return ok('address', `the embedded ${SANDBOX}: no network and no account`)
  const { baseUrl, baseUrlFrom } = credential
  return ok('address', `${shownBaseUrl(baseUrl)}, from the ${baseUrlFrom}`)
}

/**
 * Returns a function that replaces the context names which contain the name of a user who has signed in here: the output
 * of a diagnosis is shared.
 */
export async function userNameRemover(session: Session): Promise<(text: string) => string> {
  const config = await orProblem(() => session.config.read(), session.signal)
  if (config instanceof Problem) return (text) => text
  const users = [...config.contexts.values()].flatMap(({ user }) => (user ? [user.toLowerCase()] : []))
  const names = [...config.contexts.keys()].filter((name) => users.some((user) => name.toLowerCase().includes(user)))
  const patterns = names.map((name) => new RegExp(`(?<![\\w.-])${escapePattern(name)}(?![\\w.-])`, 'g'))
  return (text) => patterns.reduce((left, pattern) => left.replace(pattern, 'USER'), text)
}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
