import { tokens } from '../../catalogue/tokens'
import type { Context } from '../../context'
import { checkBody, flagsOf } from '../../engine/body'
import type { Command, Flag, Input } from '../../engine/command'
import { bodyFlags, dryRunFlag, outputFlags } from '../../engine/flags'
import { planRequest, printRequests } from '../../engine/request'
import { isNever } from '../../rules/expiry'
import { fullScope } from '../../rules/scopes'
import { readAccount } from '../profile/account'
import { talkOf } from '../talk'
import { deliverToken, makeToken, prepareDelivery } from './make'
import { readWish, wishFlags } from './wish'

export const outputFileFlag: Flag = {
  name: 'output-file',
  value: 'file',
  description: 'Write the token to this file, for you alone, instead of showing it',
  values: 'files',
}

/** Asks for what is not given; what is, was checked. */
async function complete(given: Record<string, unknown>, { flags }: Input, context: Context) {
  checkBody(tokens.create.body, { label: 'asked for', ...given }, flags)
  const talk = await talkOf(context, 'skyctl tokens create --label LABEL')
  const { scopes } = await readAccount(talk.client)
  const { askForToken } = await import('../../flows/new-token')
  const wish = { ...given, never: flags.expiry === 'never' }
  return { ...(await askForToken(talk, wish, (scopes ?? fullScope).split(' '))) }
}

export const createToken: Command = {
  name: 'create',
  aliases: ['add'],
  summary: tokens.create.summary,
  details:
    'Without --label it asks on a terminal. Without --scope it has full scope, which only a token of full scope can\n' +
    'give.',
  operations: [tokens.create],
  flags: [
    ...flagsOf(tokens.create.body).filter(({ name }) => name === 'label'),
    ...wishFlags,
    outputFileFlag,
    ...bodyFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Answer the questions', line: 'skyctl tokens create' },
    {
      what: 'For a job that makes volumes, for 90 days, in a file that only you can read',
      line: 'skyctl tokens create --label ci --scopes-for "volumes create" --expiry 90d --output-file ci.token',
    },
  ],
  async run(input, context) {
    const { flags } = input
    const delivery = await prepareDelivery(flags, context)
    const dry = flags['dry-run'] === true
    const given = await readWish(flags, context)
    const guided = context.interactive && !dry && given.label === undefined && flags.body === undefined
    const body = guided ? await complete(given, input, context) : given
    checkBody(tokens.create.body, body, flags)
    if (dry) return printRequests([planRequest(tokens.create, { body })], { flags, context })
    const token = await makeToken(body, context)
    const scope = token.scopes === fullScope ? 'full scope' : token.scopes
    const expiry = isNever(token.expiry, context.clock.now()) ? 'never expires' : `expires ${token.expiry} UTC`
    await context.say(`Created token "${token.label}" (${token.id}): ${scope}, ${expiry}; it is not shown again`)
    await deliverToken(token, delivery)
  },
}
