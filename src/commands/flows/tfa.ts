/** Enables two-factor authentication (api.md, Flows in the profile area). */
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { tfa } from '../../catalogue/profile/tfa'
import { isRefusal, Problem } from '../../errors'
import { withoutBlanks } from '../../rules/secrets'
import { codeCheck, type Dialogue } from './dialogue'
import { sentence, withStateInProblem } from './problem-texts'
import { askSecurityQuestions } from './security-questions'

interface TfaSetup {
  username: string
  enabled: boolean
  /** Service time minus local time in milliseconds; undefined if the service sends no time. */
  skewMs: number | undefined
  /** Name of the account in an authenticator app. */
  issuer: string
  /** Shows an address as a QR code, if it fits above the question, and below the text if the window fits both. */
  draw(address: string, around: { above: string; below: string }): Promise<void>
  /** Prints or saves the scratch code, which the service returns only once. */
  deliver(scratch: string): Promise<void>
}

// Time step of RFC 6238: a larger clock difference gives codes of another step.
const stepMs = 30_000

const codeQuestion = 'Code from the authenticator app'

const replaceQuestion = 'The secret above will no longer work. Create another secret?'

const hint = 'Go on with: skyctl profile tfa setup'

/** Guides the user until a code is accepted and the scratch code is saved. */
export async function setUpTfa(dialogue: Dialogue, setup: TfaSetup): Promise<void> {
  const { ask } = dialogue
  if (setup.enabled && !(await ask.confirm('Two-factor authentication is on. Set it up with a new secret?'))) {
    throw new Problem('refused', 'two-factor authentication is unchanged')
  }
  await warnOfSkew(dialogue, setup.skewMs)
  const off = setup.enabled ? 'the earlier secret is still valid' : 'two-factor authentication is not on'
  const unanswered = await withStateInProblem({ state: off, hint }, () => answerQuestions(dialogue))
  const state = unanswered ? `the security questions are answered, but ${off}` : off
  const unconfirmed = { state: `${state}: a secret changes nothing until a code confirms it`, hint }
  const scratch = await withStateInProblem(unconfirmed, () => confirmSecret(dialogue, setup))
  const unsaved = {
    state: 'two-factor authentication is on, and the scratch code above replaces a code, once',
    hint: 'Save the scratch code',
  }
  await withStateInProblem(unsaved, async () => {
    await setup.deliver(scratch)
    while (!(await ask.confirm('It is not shown again. Is the scratch code saved?'))) {
      await dialogue.say('Without it, losing the authenticator app locks you out.')
    }
  })
}

async function warnOfSkew({ say }: Dialogue, skewMs = 0): Promise<void> {
  const side = skewMs > stepMs ? 'behind' : skewMs < -stepMs ? 'ahead of' : undefined
  if (side === undefined) return
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  await say(
    `The clock of this computer is ${seconds} s ${side} the clock of the service.\n` +
      'The service would reject its codes: set the clock, or use another device.',
  )
}

/** Answers the security questions if required for a secret; reports whether that was necessary. */
async function answerQuestions(dialogue: Dialogue): Promise<boolean> {
  const { client, say } = dialogue
  const needs = { essential: ['security_questions.response'] }
  const { security_questions: questions } = await client.call(securityQuestions.list, needs)
  if (questions.filter(({ response }) => typeof response === 'string').length >= 3) return false
  await say('Two-factor authentication needs three answered security questions.')
  const body = await askSecurityQuestions(dialogue)
  await dialogue.send(securityQuestions.answer, body)
  await say('The security questions are answered.')
  return true
}

/** Creates secrets until a code confirms one; returns the scratch code. */
async function confirmSecret(dialogue: Dialogue, setup: TfaSetup): Promise<string> {
  for (;;) {
    const { secret } = await dialogue.send(tfa.enable)
    await showSecret(dialogue, setup, secret)
    const scratch = await askCodes(dialogue)
    if (scratch !== undefined) return scratch
    await dialogue.say('Here is another secret. Remove the previous one from the app.')
  }
}

/** Asks until a code is accepted; undefined if the user wants a new secret because this one has expired. */
async function askCodes({ ask, send, say }: Dialogue): Promise<string | undefined> {
  for (;;) {
    const tfa_code = withoutBlanks(await ask.text(codeQuestion, { check: codeCheck }))
    if (tfa_code === '') {
      if (await ask.confirm(replaceQuestion)) return undefined
      continue
    }
    try {
      return (await send(tfa.confirm, { tfa_code })).scratch
    } catch (error) {
      if (!isRefusal(error)) throw error
      await say(`${sentence(error)}. Type the next code, or press Enter alone to create another secret.`)
    }
  }
}

async function showSecret({ say }: Dialogue, { issuer, username, draw }: TfaSetup, secret: string): Promise<void> {
  const account = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`
  const address = `otpauth://totp/${account}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  // Few lines, because a usual window has only 24 rows for them, the code and the question.
  const above = `Secret for an authenticator app: ${secret}\n${address}`
  await say(above)
  await draw(address, { above, below: codeQuestion })
}
