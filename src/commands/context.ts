import { dropCachedNames } from '../account/name-cache'
import { type Config, parseContextName, SANDBOX } from '../config/contexts'
import type { Argument, Command, CommandGroup, Flags } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { confirm } from '../engine/confirm'
import { countFlag, textFlag } from '../engine/flag-values'
import { hiddenOutputFlags, outputFlags, shortListFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { formatNames, isForPeople } from '../output/formats'
import { printMany, printOne } from '../output/print'
import {
  type Printing,
  printChanged,
  printContext,
  printingOf,
  recordsOf,
  shownContext,
  stored,
  tellUse,
} from './context-record'
import { defaultsFrom, merged } from './read-context-defaults'

const nameArgument = (description: string): Argument => ({ name: 'context', description, values: 'contexts' })

const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: 'List the contexts',
  paged: true,
  flags: shortListFlags,
  examples: [{ what: 'Accounts and their addresses', line: 'skyctl context list --columns name,base_url' }],
  async run({ flags }, session) {
    const view = await viewOf(shownContext, flags, session)
    const limit = countFlag(flags, 'limit', 0, Number.MAX_SAFE_INTEGER)
    await printMany(await recordsOf(session), { ...view, limit }, session.ui.stdout)
    await tellChoice(session)
  },
}

const because = {
  flag: ' (from --context)',
  environment: ' (from SKYCTL_CONTEXT)',
  context: '',
} as const

/** Prints why a context is the current one, and which variables override it. */
async function tellChoice(session: Session): Promise<void> {
  try {
    const chosen = await session.account.access.context()
    if (!chosen) return
    if (isForPeople(session.ui.format))
      await session.ui.status(`Current context: ${chosen.name}${because[chosen.from]}`)
    await session.account.access.credential()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'context_not_found') await session.ui.warn(`no current context: ${error.message}`)
  }
}

const use: Command = {
  name: 'use',
  summary: 'Set the current context',
  details:
    'For two accounts, sign in to each: skyctl auth login --context NAME. --context NAME chooses one for a single command.',
  arguments: [nameArgument('Name of the context, or sandbox')],
  flags: hiddenOutputFlags,
  examples: [{ what: 'Work in the sandbox from now on', line: 'skyctl context use sandbox' }],
  async run({ arguments: [name = ''], flags }, session) {
    const printing = await localPrinting(flags, session)
    const config = await change(session, (config) => {
      if (name !== SANDBOX) stored(config, name)
      config.current = name
    })
    await tellUse(name, config, printing)
    await printContext(name, config, printing)
  },
}

const view: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: 'Show a context, without its token',
  paged: true,
  arguments: [{ ...nameArgument('Name of the context (default: the current one)'), optional: true }],
  flags: outputFlags,
  examples: [{ what: 'Address of the current context', line: 'skyctl context view --columns name,base_url' }],
  async run({ arguments: [argument], flags }, session) {
    const shape = await viewOf(shownContext, flags, session)
    const name = argument ?? (await session.account.access.context())?.name
    if (name === undefined)
      throw new Problem('context_not_found', 'there is no current context', { hint: 'See skyctl context list' })
    if (name !== SANDBOX) stored(await session.config.read(), name)
    const record = (await recordsOf(session)).find((one) => one.name === name)
    await printOne(record, shape, session.ui.stdout)
  },
}

const update: Command = {
  name: 'update',
  aliases: ['set'],
  summary: 'Change defaults or token command of a context',
  arguments: [nameArgument('Name of the context')],
  flags: [
    {
      name: 'region',
      value: 'id',
      description: 'Default region of new volumes; "" for none',
      values: 'regions',
    },
    { name: 'default-output', value: 'format', description: 'Default output format; "" for none', values: formatNames },
    {
      name: 'keep-open',
      value: 'traffic',
      list: 'repeats',
      negative: 'also',
      description: 'Traffic that firewall changes must not block, as tcp/22@198.51.100.7',
    },
    {
      name: 'networks',
      value: 'file',
      description: 'File with names of networks, for --from office; "" for none',
      values: 'files',
    },
    {
      name: 'token-command',
      value: 'command',
      description: 'Shell command that prints the token; it replaces a stored token; "" for none',
    },
    ...hiddenOutputFlags,
  ],
  examples: [
    { what: 'Create volumes in us-east by default', line: 'skyctl context update prod --region us-east' },
    {
      what: 'Refuse firewall changes that block access from the office',
      line: 'skyctl context update prod --keep-open tcp/22@203.0.113.0/24',
    },
    {
      what: 'Take the token from a password manager',
      line: "skyctl context update prod --token-command 'pass show cloud/token'",
    },
  ],
  async run({ arguments: [name = ''], flags }, session) {
    const before = await session.config.read()
    const changes = await defaultsFrom(flags, before.contexts.get(name)?.defaults ?? {}, session)
    const command = textFlag(flags, 'token-command')
    const printing = await localPrinting(flags, session)
    if (Object.keys(changes).length === 0 && command === undefined) {
      throw new Problem('usage', 'nothing to change', {
        hint: 'Pass --region, --default-output, --keep-open, --networks or --token-command',
      })
    }
    const config = await change(session, (config) => {
      const { token, token_command, ...before } = stored(config, name)
      const newCommand = command ?? token_command
      const secret = { ...(token && !command && { token }), ...(newCommand && { token_command: newCommand }) }
      config.contexts.set(name, { ...before, ...secret, defaults: merged(before.defaults, changes) })
    })
    await session.ui.status(`Updated context "${name}"${afterRemoval(name, config, command)}`)
    await printContext(name, config, printing)
  },
}

/** Returns how to sign in again if the context has no token without its command. */
function afterRemoval(name: string, config: Config, command: string | undefined): string {
  const { token, token_command } = stored(config, name)
  return command === '' && !token && !token_command ? `. Sign in again: skyctl auth login --context ${name}` : ''
}

const rename: Command = {
  name: 'rename',
  summary: 'Rename a context',
  arguments: [nameArgument('Name of the context'), { name: 'new-name', description: 'Its new name' }],
  flags: hiddenOutputFlags,
  examples: [{ what: 'Another name', line: 'skyctl context rename owner prod' }],
  async run({ arguments: [name = '', next = ''], flags }, session) {
    const printing = await localPrinting(flags, session)
    const config = await change(session, (config) => {
      const record = stored(config, name)
      if (config.contexts.has(next) || next === SANDBOX)
        throw new Problem('exists', `a context "${next}" already exists`)
      parseContextName(next)
      config.contexts.delete(name)
      config.contexts.set(next, record)
      if (config.current === name) config.current = next
    })
    await session.ui.status(`Renamed context "${name}" to "${next}"`)
    await printContext(next, config, printing)
  },
}

const remove: Command = {
  name: 'delete',
  aliases: ['rm', 'remove'],
  asks: true,
  summary: 'Delete a context with its token',
  arguments: [nameArgument('Name of the context')],
  flags: hiddenOutputFlags,
  examples: [{ what: 'Ask first, then delete', line: 'skyctl context delete prod' }],
  async run({ arguments: [name = ''], flags }, session) {
    const printing = await localPrinting(flags, session)
    const { token } = stored(await session.config.read(), name)
    const loss = token === undefined ? '' : 'Its token will be deleted, too. '
    await confirm(`${loss}Delete the context "${name}"`, session, { local: true })
    await change(session, (config) => {
      stored(config, name)
      config.contexts.delete(name)
      if (config.current === name) delete config.current
    })
    const rest = token === undefined ? '' : '; its token stays valid until it is revoked or expires'
    await session.ui.status(`Deleted context "${name}"${rest}`)
    await printChanged({}, printing)
  },
}

async function change(session: Session, edit: (config: Config) => void): Promise<Config> {
  const config = await session.config.change(edit)
  await dropCachedNames(session.account)
  return config
}

/** Throws `usage` for flags without an effect: the context to change is an argument. */
function localPrinting(flags: Flags, session: Session): Promise<Printing> {
  for (const name of ['context', 'base-url']) {
    if (textFlag(flags, name) === undefined) continue
    throw new Problem('usage', `--${name} is not used here: the context to change is named as an argument`, {
      ...(name === 'base-url' && {
        hint: 'A new address needs a token: skyctl auth login --context NAME --base-url URL',
      }),
    })
  }
  return printingOf(flags, session)
}

const group: CommandGroup = {
  name: 'context',
  aliases: ['contexts'],
  summary: 'Contexts: stored accounts and their defaults',
  commands: eagerCommands(list, use, view, update, rename, remove),
}

export default group
