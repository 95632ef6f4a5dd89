import type { Command, CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { confirm } from '../../engine/confirm'
import { countFlag } from '../../engine/flag-values'
import { hiddenOutputFlags, outputFlags, shortListFlags } from '../../engine/flags'
import { printAnswer } from '../../engine/print-answers'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { columnsFor, type FieldPath } from '../../output/column'
import { isForPeople } from '../../output/formats'
import { isDrawn, printMany, printOne } from '../../output/print'
import type { Sandbox } from '../../sandbox/sandbox'
import type { Message } from '../../sandbox/world'
import { startSandbox } from './start'

const world: Command = {
  name: 'world',
  summary: 'List the resources of the context "sandbox"',
  paged: true,
  flags: outputFlags.filter(({ name }) => name === 'query'),
  examples: [
    {
      what: 'The compute instances to attach volumes to',
      line: "skyctl sandbox world --json --query 'computes[].[id, label, region]'",
    },
    {
      what: 'Tokens of other users, or with few scopes',
      line: "skyctl sandbox world --json --query 'tokens[].[label, token]'",
    },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ columns: [] }, flags, session)
    const format = isDrawn(view) ? 'yaml' : view.format
    const description = await readWorld(session, (sandbox) => sandbox.describe())
    for (const { token } of description.tokens) session.account.local.secrets.reveal(token)
    await printOne(description, { ...view, format }, session.ui.stdout)
  },
}

/** Reads the state of the context "sandbox". */
async function readWorld<T>(session: Session, read: (sandbox: Sandbox) => T): Promise<T> {
  const { openSandbox } = await import('../../sandbox/sandbox')
  const { sharedFile } = await import('../../sandbox/file-storage')
  const { sandboxFile } = await import('../../sandbox/context')
  const sandbox = await openSandbox({ storage: sharedFile(await sandboxFile(session.account)), clock: session.clock })
  try {
    return read(sandbox)
  } finally {
    await sandbox.close()
  }
}

const messageFields: readonly FieldPath<Message>[] = ['id', 'sent', 'user', 'to', 'text', 'code']

const outbox: Command = {
  name: 'outbox',
  summary: 'List messages, such as SMS with phone codes',
  paged: true,
  details: 'The messages that the context "sandbox" has sent, oldest first.',
  flags: shortListFlags,
  examples: [
    {
      what: 'The code of the last message',
      line: "skyctl sandbox outbox -o tsv --query '[-1].code'",
    },
  ],
  async run({ flags }, session) {
    const columns = columnsFor<Message>(['id', 'sent', 'to', { path: 'text', priority: 'high' }])
    const view = await viewOf({ fields: messageFields, columns }, flags, session)
    const limit = countFlag(flags, 'limit', 0, Number.MAX_SAFE_INTEGER)
    const messages = await readWorld(session, (sandbox) => sandbox.outbox())
    await printMany(messages, { ...view, limit }, session.ui.stdout)
    if (messages.length === 0 && isForPeople(session.ui.format)) await session.ui.status('No messages')
  },
}

const reset: Command = {
  name: 'reset',
  asks: true,
  summary: 'Reset the context "sandbox" to its initial state',
  flags: hiddenOutputFlags.filter(({ name }) => name === 'query'),
  examples: [{ what: 'Before a test', line: 'skyctl sandbox reset --yes' }],
  async run({ flags }, session) {
    const view = await viewOf({ columns: [] }, flags, session)
    await confirm('All changes in it will be lost. Reset the sandbox', session, { local: true })
    const { resetState } = await import('../../sandbox/file-storage')
    const { sandboxFile } = await import('../../sandbox/context')
    await resetState(await sandboxFile(session.account))
    await session.ui.status('Reset the sandbox')
    await printAnswer({}, { view, session })
  },
}

const group: CommandGroup = {
  name: 'sandbox',
  summary: 'Embedded sandbox of the service, for tests',
  commands: eagerCommands(startSandbox, world, outbox, reset),
}

export default group
