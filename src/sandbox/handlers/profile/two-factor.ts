/** Two-factor authentication, which requires answers to security questions. */

import { Secret, TOTP } from 'otpauth'
import { securityQuestions } from '../../../catalogue/profile/security-questions'
import { tfa } from '../../../catalogue/profile/tfa'
import { formatTimestamp, parseTimestamp } from '../../../rules/times'
import { allOwn } from '../../caller'
import { userEvent } from '../../events'
import { serve } from '../../handler'
import { refusal, refuseBroken } from '../../refusal'
import { sandboxScratchCode, sandboxSecret } from '../../secrets'

/** Validity of an unconfirmed secret. api.md says that it expires, but not when. */
const validMs = 24 * 3_600_000

export const servedTfa = serve(tfa, {
  disable: {
    event: userEvent('tfa_disable'),
    handle(_, { world, caller: { user } }) {
      if (!user.two_factor_auth) throw refusal(null, 'Two Factor Authentication is not enabled')
      world.users.put({ ...user, two_factor_auth: false })
      return {}
    },
  },

  enable: {
    handle(_, { world, caller }) {
      if (world.profile.security_answers.get(caller.user.id) === undefined) {
        throw refusal(
          null,
          'You must add Security Questions to your profile in order to enable Two Factor Authentication',
        )
      }
      for (const { id } of allOwn(world.profile.tfa_secrets, caller)) world.profile.tfa_secrets.delete(id)
      const id = world.profile.tfa_secrets.nextId()
      const secret = base32(sandboxSecret(`two-factor secret ${id}`))
      const expiry = formatTimestamp(world.clock.now() + validMs)
      world.profile.tfa_secrets.put({ id, user: caller.user.id, secret, expiry })
      return { secret, expiry }
    },
  },

  confirm: {
    event: userEvent('tfa_enable'),
    handle({ tfa_code }, { world, caller }) {
      const now = world.clock.now()
      const [pending] = allOwn(world.profile.tfa_secrets, caller)
      if (pending === undefined) throw refusal(null, 'There is no two-factor secret to confirm; create one first')
      if (parseTimestamp(pending.expiry) <= now) {
        throw refusal(null, 'The two-factor secret has expired; create another')
      }
      if (!isCurrent(tfa_code, pending.secret, now)) throw refusal('tfa_code', 'Invalid code')
      world.profile.tfa_secrets.delete(pending.id)
      world.users.put({ ...caller.user, two_factor_auth: true })
      return { scratch: sandboxScratchCode(`scratch code ${pending.id}`) }
    },
  },
})

/** Encodes a secret for typing into an authenticator app (RFC 4648, base32). */
function base32(secret: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(secret).buffer }).base32
}

/** Reports whether a one-time code (RFC 6238) is valid now: SHA-1, 6 digits, 30 seconds, and one step of skew either way (gaps.md). */
function isCurrent(code: string, secret: string, now: number): boolean {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  return totp.validate({ token: code, timestamp: now, window: 1 }) !== null
}

export const servedQuestions = serve(securityQuestions, {
  list: {
    handle(_, { world, caller: { user } }) {
      const answers = world.profile.security_answers.get(user.id)?.answers ?? []
      return {
        security_questions: questions.map(({ id, question }) => ({
          id,
          question,
          response: answers.find(({ question_id }) => question_id === id)?.response ?? null,
        })),
      }
    },
  },

  answer: {
    event: userEvent('security_questions_answer'),
    handle({ security_questions: answers }, { world, caller: { user } }) {
      const answered = answers.map(({ question_id, response }) => {
        const question = questions.find(({ id }) => id === question_id)
        return { question_id, security_question: question?.question ?? '', response }
      })
      refuseBroken(
        answered.map(({ security_question }, index) => [
          security_question === '',
          `security_questions[${index}].question_id`,
          'question_id is not valid',
        ]),
      )
      world.profile.security_answers.put({ id: user.id, answers })
      return { security_questions: answered }
    },
  },
})

/** The 19 fixed security questions by ascending id. */
const questions = [
  'In what city were you born?',
  'What was the name of your first pet?',
  'What was the make of your first car?',
  'What was the name of your first school?',
  'What was the first concert that you went to?',
  'What was your childhood nickname?',
  'What was the name of the street where you grew up?',
  'What was the first dish that you learned to cook?',
  'What was the name of your favourite teacher?',
  'What was the first film that you saw in a cinema?',
  'What was the destination of your first flight?',
  'In what city did your parents meet?',
  'What is the middle name of your oldest sibling?',
  'What was the name of your first stuffed animal?',
  'What was your first job?',
  'What was the title of your favourite book as a child?',
  'What was the model of your first computer?',
  'In what city did you spend your first holiday?',
  'What was the surname of your best friend at school?',
].map((question, index) => ({ id: index + 1, question }))
