/** Signs in: asks for address and token, and verifies them with Profile View before anything is stored. */
import { parseBaseUrl } from '../../config/base-url'
import { parseContextName } from '../../config/contexts'
import { parseToken } from '../../config/token'
import type { Prompts } from '../../engine/questions'
import { exitCodes, Problem } from '../../errors'

interface SignIn {
  baseUrl: string
  token: string
  user: string
  name: string
}

interface KnownSignIn {
  baseUrl?: string | undefined
  token?: string | undefined
  name?: string | undefined
}

interface Steps {
  /** Questions; undefined if nobody can be asked. */
  ask: Prompts | undefined
  /** Throws if the address is not the API. Sends no secret. */
  expectApi(baseUrl: string): Promise<void>
  /** Returns the token's user; throws `not_signed_in` if the token is rejected. */
  whoAmI(baseUrl: string, token: string): Promise<string>
  /** Prints the reason for asking again for an address or a token. */
  say(text: string): Promise<void>
  /** Existing context names; signing in replaces such a context. */
  taken: ReadonlySet<string>
}

export async function signIn(input: KnownSignIn, steps: Steps): Promise<SignIn> {
  const { ask, whoAmI, say, taken } = steps
  const baseUrl = input.baseUrl === undefined ? await askAddress(input, steps) : parseBaseUrl(input.baseUrl)
  // Check the address before a token is typed for it.
  if (input.baseUrl !== undefined && input.token === undefined && ask) await steps.expectApi(baseUrl)
  const prove = async (text: string) => {
    const token = parseToken(text)
    return { token, user: await whoAmI(baseUrl, token) }
  }
  const { token, user } =
    input.token === undefined ? await provenToken(asker(ask, '--with-token'), prove, say) : await prove(input.token)
  const name = input.name ?? (await askName(user, steps)) ?? user.replaceAll(/\s+/g, '-')
  if (ask && input.name === undefined && taken.has(name) && !(await ask.confirm(`Replace the context "${name}"?`))) {
    throw new Problem('refused', 'not signed in: the context is unchanged', {
      hint: 'Choose another name with --context',
    })
  }
  return { baseUrl, token, user, name }
}

/** Asks until the address is that of the API. */
async function askAddress({ token }: KnownSignIn, { ask, expectApi, say }: Steps): Promise<string> {
  const asking = asker(ask, '--base-url')
  await say('The base URL is the address of the API with its version, such as https://api.example.net/v4')
  for (;;) {
    const input = await asking.text('Base URL', { check: accepts(parseBaseUrl) })
    const baseUrl = parseBaseUrl(input)
    try {
      if (token === undefined) await expectApi(baseUrl)
      return baseUrl
    } catch (error) {
      if (!(error instanceof Problem) || error.exitCode !== exitCodes.unavailable) throw error
      await say([error.message, error.details.hint].filter(Boolean).join('. '))
    }
  }
}

/** Asks until the service accepts the token. */
async function provenToken<T>(ask: Prompts, prove: (text: string) => Promise<T>, say: Steps['say']): Promise<T> {
  for (;;) {
    try {
      return await prove(await ask.secret('Token', { check: accepts(parseToken) }))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error
      await say(error.message)
    }
  }
}

function asker(ask: Prompts | undefined, flag: string): Prompts {
  if (ask) return ask
  throw new Problem('usage', `${flag} is required without a terminal`, {
    hint: 'For example: skyctl auth login --base-url https://api.example.net/v4 --with-token < token.txt',
  })
}

/** Converts a parser to a check, so that a prompt asks again instead of failing. */
function accepts(parse: (text: string) => string): (text: string) => true | string {
  return (text) => {
    try {
      parse(text)
      return true
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** Proposes a name that no other account has. */
async function askName(user: string, { ask, taken }: Steps): Promise<string | undefined> {
  let initial = user
  for (let number = 2; taken.has(initial); number += 1) initial = `${user}-${number}`
  return ask?.text('Name of the context', { initial, check: accepts(parseContextName) })
}
