import { dropCachedNames } from '../account/name-cache'
import { profile } from '../catalogue/profile/profile'
import { regions } from '../catalogue/regions'
import { SANDBOX } from '../config/contexts'
import { type Command, type CommandGroup, eagerCommands } from '../engine/command'
import { textFlag } from '../engine/flag-values'
import { outputFlags } from '../engine/flags'
import { Problem } from '../errors'
import { tokenVariable } from '../rules/environment'
import type { Session } from '../session'
import { authStatus } from './auth-status'
import { printContext, printingOf, stored, tellUse } from './context-record'
import { printEquivalentCommand } from './equivalent-command'
import { usernameOf } from './profile/account'

const login: Command = {
  name: 'login',
  summary: 'Sign in: check a token and store it',
  details:
    'Asks for the address of the service and a token. Scripts pass the token on stdin with --with-token. ' +
    'Checks the token, stores it in a context named after its user (or by --context), and never sends it to another ' +
    'address. An existing context keeps its base URL unless --base-url is set.',
  flags: [{ name: 'with-token', description: 'Read the token from stdin' }, ...outputFlags],
  examples: [
    { what: 'Answer the questions', line: 'skyctl auth login' },
    {
      what: 'Without questions',
      line: 'skyctl auth login --base-url https://api.example.net/v4 --with-token < token',
    },
  ],
  async run({ flags }, session) {
    const name = textFlag(flags, 'context')
    if (name === SANDBOX) throw new Problem('usage', 'the context "sandbox" is built in and needs no sign-in')
    const { signIn } = await import('../flows/sign-in')
    const printing = await printingOf(flags, session)
    const { contexts } = await session.config.read()
    const known = name === undefined ? undefined : contexts.get(name)?.base_url
    const signed = await signIn(
      {
        name,
        baseUrl: textFlag(flags, 'base-url') || session.env.SKYCTL_BASE_URL || known,
        ...(flags['with-token'] && { token: await session.ui.readStdin() }),
      },
      {
        ask: session.ui.interactive ? await session.ui.ask({ local: true }) : undefined,
        expectApi: (baseUrl) => expectApi(session, baseUrl),
        whoAmI: (baseUrl, token) => userName(session, { baseUrl, token }),
        say: (text) => session.ui.print(text),
        taken: new Set(contexts.keys()),
      },
    )
    const config = await session.config.change((config) => {
      const { token_command: _replaced, ...before } = config.contexts.get(signed.name) ?? {}
      config.contexts.set(signed.name, { ...before, base_url: signed.baseUrl, user: signed.user, token: signed.token })
      config.current = signed.name
    })
    await dropCachedNames(session.account)
    await tellUse(signed.name, config, printing, `Signed in as ${signed.user}; `)
    await printContext(signed.name, config, printing)
    if (session.ui.interactive && !flags['with-token']) {
      const { name, baseUrl } = signed
      await printEquivalentCommand(
        ['auth', 'login', '--context', name, '--base-url', baseUrl, '--with-token', '<', 'FILE'],
        session,
      )
    }
  },
}

/** Reads a public list, to check that the API is at the address. */
async function expectApi(session: Session, baseUrl: string): Promise<void> {
  const client = await session.account.client({ as: { baseUrl, token: '' } })
  try {
    for await (const _ of client.pages(regions.list, { page: 1 })) break
  } catch (error) {
    // An API that limits the rate is there.
    if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
  }
}

async function userName(session: Session, as: { baseUrl: string; token: string }): Promise<string> {
  const client = await session.account.client({ as })
  const user = await client.call(profile.view)
  const username = usernameOf(user)
  const { rememberUser } = await import('../account/identity')
  await rememberUser(user, session.account, { service: as.baseUrl, token: as.token })
  return username
}

const logout: Command = {
  name: 'logout',
  summary: 'Forget the token of a context',
  details: 'The context keeps its address and defaults. The token itself stays valid until it is revoked or expires.',
  flags: outputFlags,
  examples: [{ what: 'Sign out of the current context', line: 'skyctl auth logout' }],
  async run({ flags }, session) {
    const printing = await printingOf(flags, session)
    const chosen = await session.account.activeContext()
    if (!chosen) throw new Problem('not_signed_in', 'not signed in: there is no current context')
    if (!chosen.record) throw new Problem('usage', 'the context "sandbox" is built in and has no token to forget')
    const config = await session.config.change((config) => {
      const { token: _token, token_command: _command, ...rest } = stored(config, chosen.name)
      config.contexts.set(chosen.name, rest)
    })
    await dropCachedNames(session.account)
    await session.ui.status(
      `Signed out of context "${chosen.name}"; its token stays valid until it is revoked or expires`,
    )
    const variable = tokenVariable(session.env)
    if (variable) await session.ui.warn(`${variable} is still set and keeps you signed in; unset it`)
    await printContext(chosen.name, config, printing)
  },
}

const group: CommandGroup = {
  name: 'auth',
  summary: 'Sign in and out, and see who you are',
  commands: eagerCommands(login, logout, authStatus),
}

export default group
