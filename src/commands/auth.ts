import { dropCachedNames } from '../account/name-cache'
import { profile } from '../catalogue/profile/profile'
import { regions } from '../catalogue/regions'
import { tokens } from '../catalogue/tokens'
import { type Credential, parseContextName, SANDBOX } from '../config/contexts'
import type { Command, CommandGroup, Flags } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { textFlag } from '../engine/flag-values'
import { hiddenOutputFlags, outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { printOne } from '../output/print'
import { tokenVariable } from '../rules/environment'
import { printContext, printingOf, stored, tellUse } from './context-record'
import { printEquivalentCommand } from './open-dialogue'
import { readAccount, usernameOf } from './profile/account'
import { readLifetime, unknown } from './tokens/remaining-lifetime'

const login: Command = {
  name: 'login',
  summary: 'Sign in with a token and store it',
  details:
    'Asks for the address of the service and a token. Scripts pass the token on stdin with --with-token. ' +
    'Checks the token, stores it in a context named after its user (or by --context), and never sends it to another ' +
    'address. An existing context keeps its base URL unless --base-url is set.',
  flags: [{ name: 'with-token', description: 'Read the token from stdin' }, ...hiddenOutputFlags],
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
    const { signIn } = await import('./flows/sign-in')
    const printing = await printingOf(flags, session)
    const { contexts } = await session.config.read()
    if (name !== undefined && !contexts.has(name)) parseContextName(name)
    const storedUrl = name === undefined ? undefined : contexts.get(name)?.base_url
    const signed = await signIn(
      {
        name,
        baseUrl: textFlag(flags, 'base-url') || session.env.SKYCTL_BASE_URL || storedUrl,
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
  const user = await client.call(profile.view).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error
    const hint = 'Nothing was stored. Check that the token is complete, or create another one'
    throw error.with({ hint })
  })
  const username = usernameOf(user)
  const { rememberUser } = await import('../account/identity')
  await rememberUser(user, session.account, { service: as.baseUrl, token: as.token })
  return username
}

const logout: Command = {
  name: 'logout',
  summary: 'Sign out: remove the token of a context',
  details: 'The context keeps its address and defaults. The token itself stays valid until it is revoked or expires.',
  arguments: [
    {
      name: 'context',
      description: 'Name of the context (default: the current one)',
      optional: true,
      values: 'contexts',
    },
  ],
  flags: hiddenOutputFlags,
  examples: [
    { what: 'Sign out of the current context', line: 'skyctl auth logout' },
    { what: 'Sign out of another context', line: 'skyctl auth logout prod' },
  ],
  async run({ arguments: [argument], flags }, session) {
    const printing = await printingOf(flags, session)
    const name = await contextToForget(argument, flags, session)
    let hadToken = false
    const config = await session.config.change((config) => {
      const { token, token_command, ...rest } = stored(config, name)
      hadToken = token !== undefined || token_command !== undefined
      config.contexts.set(name, rest)
    })
    await dropCachedNames(session.account)
    const message = hadToken
      ? `Signed out of context "${name}"; its token stays valid until it is revoked or expires`
      : `Context "${name}" has no token: you are already signed out`
    await session.ui.status(message)
    const variable = tokenVariable(session.env)
    if (variable) await session.ui.warn(`${variable} is still set and keeps you signed in; unset it`)
    await printContext(name, config, printing)
  },
}

/** Returns the name of the context to sign out of: the argument, or the active context. */
async function contextToForget(argument: string | undefined, flags: Flags, session: Session): Promise<string> {
  const flag = textFlag(flags, 'context')
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw new Problem('usage', `two contexts are named: "${argument}" and --context "${flag}"`, { hint: 'Name one' })
  const name = argument ?? (await session.account.access.context())?.name
  if (name === undefined) throw new Problem('not_signed_in', 'not signed in: there is no current context')
  if (name === SANDBOX) throw new Problem('usage', 'the context "sandbox" is built in and has no token to forget')
  return name
}

const columns = [
  ...['user', 'context', 'context_source', 'base_url', 'base_url_source', 'token_source'],
  ...['scopes', 'token_expiry', 'days_left', 'restricted', 'two_factor_auth'],
].map((path) => ({ path }))

const status: Command = {
  name: 'status',
  summary: 'Show the current service, user and token',
  paged: true,
  details:
    'Shows where the context, the address and the token come from (flag, environment, context), and how many\n' +
    'days the token is still valid: "unknown" if it may not list tokens.',
  operations: [profile.view, tokens.list],
  flags: outputFlags,
  examples: [
    { what: 'Fail in a script unless signed in', line: 'skyctl auth status --quiet' },
    { what: 'Days until the token of a job expires', line: 'skyctl auth status --query days_left -o tsv' },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ columns, key: 'user' }, flags, session)
    const credential = await session.account.access.credential()
    const { profile: user, scopes } = await readAccount(await session.account.client())
    const record = {
      user: user.username,
      ...placeOf(credential),
      scopes: scopes ?? unknown,
      ...(view.quiet === undefined && (await readLifetime(session))),
      restricted: user.restricted,
      two_factor_auth: user.two_factor_auth,
    }
    await printOne(record, view, session.ui.stdout)
  },
}

function placeOf(credential: Credential): Record<string, unknown> {
  const { context, sandbox } = credential
  return {
    context: context?.name ?? null,
    // Without flag or variable, the contexts file determines the context.
    context_source: context?.from === 'context' ? 'file' : (context?.from ?? null),
    base_url: sandbox ? null : credential.baseUrl,
    base_url_source: sandbox ? 'sandbox' : credential.baseUrlFrom,
    token_source: sourceOf(credential),
  }
}

function sourceOf(credential: Credential): string {
  if (credential.sandbox) return 'sandbox'
  if (credential.secret instanceof Problem) return 'none'
  return 'command' in credential.secret ? 'token_command' : credential.secret.from
}

const group: CommandGroup = {
  name: 'auth',
  summary: 'Sign-in, sign-out and current user',
  commands: eagerCommands(login, logout, status),
}

export default group
