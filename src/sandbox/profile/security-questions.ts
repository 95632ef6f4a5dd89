import type { securityQuestions } from '../../catalogue/profile/security-questions'
import type { Handlers } from '../handler'
import { refuseBroken } from '../refusal'
import { questions } from '../seed/security-questions'

export const securityQuestionHandlers: Handlers<typeof securityQuestions> = {
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
    handle({ security_questions: answers }, { world, caller: { user } }) {
      const answered = answers.map(({ question_id, response }) => {
        const known = questions.find(({ id }) => id === question_id)
        return { question_id, security_question: known?.question ?? '', response }
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
}
