import * as actions from '../../account/actions/profile'
import type { RequestBody } from '../../account/change-context'
import { phone } from '../../catalogue/profile/phone'
import { profile } from '../../catalogue/profile/profile'
import { changeCommand } from '../../engine/change-command'
import type { CommandContext } from '../../engine/change-command-context'
import type { Command, CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { wrongInput } from '../../engine/field-names'
import { hiddenOutputFlags } from '../../engine/flags'
import { printAnswer } from '../../engine/print-answers'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { isGone } from '../../errors'
import { openDialogue, printEquivalentCommand } from '../open-dialogue'
import { codeWithoutBlanks } from './one-time-codes'

async function checkNumber({ iso_code, phone_number }: RequestBody, { flags }: CommandContext): Promise<void> {
  const reason = await numberFault(String(phone_number), String(iso_code))
  if (reason === undefined) return
  throw wrongInput([{ field: 'phone_number', reason }], {
    flags,
    names: { phone_number: '--phone-number' },
    files: ['body'],
  })
}

async function numberFault(text: string, country: string): Promise<string | undefined> {
  const { afterExitCode, callingCodes, readPhoneNumber } = await import('../../rules/phone-numbers')
  const read = await readPhoneNumber(text, country)
  if ('fault' in read) return `It ${read.fault} for ${country}`
  if (read.foreignCode === undefined) return undefined
  const likely = await afterExitCode(text, country)
  const next = likely ? `. Write ${likely}` : '. Name the country of the number, or use --no-validate'
  return `It is read as ${read.number}, a number of +${read.foreignCode}, but ${country} has +${callingCodes.get(country)}${next}`
}

/** Returns the message for the sandbox, which stores messages instead of sending them. */
async function whereCodesGo(session: Session): Promise<string | undefined> {
  return (await session.account.access.credential()).sandbox
    ? 'The sandbox shows it with: skyctl sandbox outbox'
    : undefined
}

const send = changeCommand({
  name: 'send',
  action: actions.sendPhoneCode,
  input: { check: checkNumber },
  done: () => 'A code was sent; it is valid for 10 minutes. Next: skyctl profile phone verify --otp-code CODE',
  async deliver(answer, { session }) {
    const where = await whereCodesGo(session)
    if (where) await session.ui.status(where)
    return answer
  },
  help: {
    details:
      'The code comes by SMS and is valid for ten minutes. Sending again within that time sends the same code again.',
    examples: [
      { what: 'The first of two steps', line: 'skyctl profile phone send --iso-code DE --phone-number 030123456' },
    ],
  },
})

const verify = changeCommand({
  name: 'verify',
  action: actions.verifyPhone,
  input: { complete: (body) => codeWithoutBlanks(body, 'otp_code') },
  done: () => 'The phone number is verified',
  help: {
    details: 'The code is valid for ten minutes, and only for the user who requested it.',
    examples: [{ what: 'The second of two steps', line: 'skyctl profile phone verify --otp-code 462046' }],
  },
})

const removal = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deletePhone,
  question: () => () => 'To use the number again, you must verify it again. Remove the verified phone number',
  done: () => 'Removed the phone number',
  help: {
    details: 'To change the number, delete it, then send a code to the new one and verify that.',
    examples: [{ what: 'Ask first, then remove it', line: 'skyctl profile phone delete' }],
  },
})

const remove: Command = {
  ...removal,
  async run(input, session) {
    try {
      await removal.run(input, session)
    } catch (error) {
      if (!isGone(error)) throw error
      throw error.with({ message: 'no phone number is verified' })
    }
  },
}

const setup: Command = {
  name: 'setup',
  summary: 'Verify a phone number, step by step',
  details:
    'Asks for the country and the number, requests a code, and asks for it. It removes a verified number ' +
    'first, after asking. In scripts, use send, verify and delete.',
  operations: [profile.view, phone.send, phone.verify, phone.delete],
  examples: [{ what: 'Answer the questions', line: 'skyctl profile phone setup' }],
  flags: hiddenOutputFlags,
  async run({ flags }, session) {
    const view = await viewOf({ columns: [] }, flags, session)
    const dialogue = await openDialogue(
      session,
      'skyctl profile phone send --iso-code COUNTRY --phone-number NUMBER, then skyctl profile phone verify --otp-code CODE',
    )
    const { setUpPhone } = await import('../flows/phone')
    const { countryOfLocale } = await import('../../rules/phone-numbers')
    const guess = countryOfLocale(session.env)
    const { country, number } = await setUpPhone(dialogue, { guess, where: await whereCodesGo(session) })
    await session.ui.status('The phone number is verified')
    await printAnswer({}, { view, session })
    await printEquivalentCommand(['profile', 'phone', 'send', '--iso-code', country, '--phone-number', number], session)
  },
}

const group: CommandGroup = {
  name: 'phone',
  summary: 'The verified phone number',
  commands: eagerCommands(setup, send, verify, remove),
}

export default group
