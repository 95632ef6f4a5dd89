import type { RequestBody } from '../../account/change-context'
import { tokenName } from '../../account/resources/token'
import { isMissing } from '../../catalogue/normalize'
import { type Token, tokens } from '../../catalogue/tokens'
import { checkBody, flagsOf, withBodyLines } from '../../engine/body'
import { printedContext } from '../../engine/change-command-context'
import { bodyFlags, dryRunFlag } from '../../engine/change-flags'
import type { Command, Flags, Input } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { runOne } from '../../engine/run-all'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isNever } from '../../rules/expiry'
import { fullScope } from '../../rules/scope-cover'
import { isReadOnly, readingScopesFlag, scopesFault, unknownScope } from '../../rules/scopes'
import { shellWord } from '../../rules/texts'
import { openDialogue, printEquivalentCommand } from '../open-dialogue'
import { readAccount } from '../profile/account'
import { forceFlag } from '../secret-file'
import {
  deliverToken,
  guardFile,
  outputFileFlag,
  prepareDelivery,
  proveDelivery,
  sayFile,
  storingAdvice,
} from './deliver-token'
import { makeToken } from './make-token'
import { readTokenFields, tokenFlags } from './token-fields'

const names = { scopes: '--scope' }

interface Completed {
  body: RequestBody
  /** The equivalent command line. */
  words: readonly string[]
}

/** Asks for missing values, after validating the given ones. */
async function complete(fields: RequestBody, { flags }: Input, session: Session): Promise<Completed> {
  await checkBody(tokens.create.body, { label: 'placeholder', ...fields }, flags, names)
  const dialogue = await openDialogue(session, 'skyctl tokens create --label LABEL')
  const { scopes } = await readAccount(dialogue.client)
  const { askForToken } = await import('../flows/new-token')
  const preset = { ...fields, never: flags.expiry === 'never' }
  const { fields: body, lasting } = await askForToken(dialogue, preset, (scopes ?? fullScope).split(' '))
  const { label } = body
  const scope = body.scopes.split(' ').join(',')
  const expiry = textFlag(flags, 'expiry') ?? lasting
  return { body: { ...body }, words: ['tokens', 'create', '--label', label, '--scope', scope, '--expiry', expiry] }
}

const neededScopes = 'The scopes that a command needs: --scopes-for COMMAND'

/** Warns of unknown scopes: api.md does not list all of them, so the service decides. */
async function warnOfScopes({ scopes }: RequestBody, session: Session): Promise<void> {
  const unknown = typeof scopes === 'string' && !scopesFault(scopes) ? unknownScope(scopes) : undefined
  if (unknown === undefined) return
  const end = unknown.endsWith('?') ? '' : '.'
  await session.ui.warn(`--scope: ${unknown}${end} ${neededScopes}`)
}

/** Warns of defaults that the user did not choose: they are the widest possible (api.md, Token Create). */
async function warnOfDefaults(body: RequestBody, flags: Flags, session: Session): Promise<void> {
  const isUnset = (field: unknown) => field === undefined || field === null
  const wide = [
    ...(isUnset(body.scopes) ? [{ text: 'full scope', narrower: '--scopes-for "volumes list"' }] : []),
    ...(isUnset(body.expiry) && flags.expiry === undefined ? [{ text: 'no expiry', narrower: '--expiry 90d' }] : []),
  ]
  if (wide.length === 0) return
  const [texts, narrower] = [wide.map(({ text }) => text), wide.map((one) => one.narrower)]
  await session.ui.warn(`the token has ${texts.join(' and ')}. To limit it, add for example: ${narrower.join(' ')}`)
}

/** Adds an expiry to the complete line of a problem, and names the flag that finds the scopes of a command. */
function withUsualLimits(error: unknown, flags: Flags): unknown {
  if (!(error instanceof Problem)) return error
  const isScope = error.details.errors?.some(({ field }) => field === 'scopes')
  if (isScope && listFlag(flags, 'scope')?.every(isReadOnly)) {
    const { label = 'ci', expiry = '90d', 'output-file': file } = flags
    const words = ['--label', String(label), ...readingScopesFlag, '--expiry', String(expiry)]
    const line = [...words, ...(file === undefined ? [] : ['--output-file', String(file)])].map(shellWord).join(' ')
    return error.with({ hint: `For all that skyctl reads: skyctl tokens create ${line}` })
  }
  if (isScope) return error.with({ hint: 'For the scopes that a command needs: --scopes-for plan' })
  if (!error.details.lacks) return error
  const lacks = [...error.details.lacks, ...(flags.expiry === undefined ? ['--expiry'] : [])]
  const hint = flags.scope === undefined ? {} : { hint: neededScopes }
  return error.with({ ...hint, lacks })
}

/** Describes a token as `token "ci" (13): volumes:read_only, never expires`, without fields that the answer lacks. */
function described(token: Token, session: Session): string {
  const { scopes, expiry } = token
  const end = isNever(expiry, session.clock.now()) ? 'never expires' : `expires ${expiry} UTC`
  const facts = [
    ...(isMissing(token, 'scopes') ? [] : [scopes === fullScope ? 'full scope' : scopes]),
    ...(isMissing(token, 'expiry') ? [] : [end]),
  ]
  return [tokenName(token), ...(facts.length > 0 ? [facts.join(', ')] : [])].join(': ')
}

export const createToken: Command = {
  name: 'create',
  aliases: ['add'],
  summary: tokens.create.summary,
  details:
    'Without --label, skyctl asks on a terminal. Without --scope and --scopes-for the token has full scope; without ' +
    '--expiry it never expires. It cannot have more scopes than the current token, and is shown only once.',
  moreDetails:
    'skyctl warns about full scope and about a token without expiry. "COMMAND --help" names the scopes that a command ' +
    'needs. A label has 1 to 100 characters. The proxy user of a child account cannot create tokens.',
  operations: [tokens.create],
  records: tokens.create,
  flags: [
    ...flagsOf(tokens.create.body).filter(({ name }) => name === 'label'),
    ...tokenFlags,
    outputFileFlag,
    { ...forceFlag, rare: true },
    ...bodyFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Answer the questions', line: 'skyctl tokens create' },
    {
      what: 'A CI token with the scopes that plan needs, for 90 days, in a private file',
      line: 'skyctl tokens create --label ci-plan --scopes-for plan --expiry 90d --output-file ci.token',
    },
    {
      what: 'A token for a job that creates volumes, for 90 days, in a private file',
      line: 'skyctl tokens create --label ci --scopes-for "volumes create" --expiry 90d --output-file ci.token',
    },
  ],
  async run(input, session) {
    const { flags } = input
    const delivery = await prepareDelivery(flags, session)
    guardFile(delivery)
    const context = printedContext(delivery.view, flags, session)
    const fields = await readTokenFields(input, session)
    await warnOfScopes(fields, session)
    const guided = session.ui.interactive && !context.dry && fields.label === undefined && flags.body === undefined
    if (guided) await sayFile(delivery)
    const answers = guided ? await complete(fields, input, session) : undefined
    const body = answers?.body ?? fields
    await withBodyLines(flags, () => checkBody(tokens.create.body, body, flags, names)).catch((error) => {
      throw withUsualLimits(error, flags)
    })
    if (!answers) await warnOfDefaults(fields, flags, session)
    if (context.dry) await sayFile(delivery)
    else await proveDelivery(delivery)
    const storing = flags['output-file'] === undefined ? `. ${storingAdvice('it', session)}` : ''
    const send = async () => ({ answer: await makeToken(body, session), outcome: { kind: 'done' } }) as const
    await runOne({ operation: tokens.create, body, send }, context, {
      words: { done: (token) => `Created ${described(token, session)}${storing}` },
      async deliver(token) {
        await deliverToken(token, delivery)
        return undefined
      },
    })
    if (answers) await printEquivalentCommand(answers.words, session)
  },
}
