import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

const line = 'POST /profile/security-questions'
const three = [
  { question_id: 7, response: 'Elm Street' },
  { question_id: 1, response: 'Springfield' },
  { question_id: 19, response: 'Smith' },
]
const answer = ({ call }: Service, security_questions: unknown) => call(line, { body: { security_questions } })
const answered = async ({ call }: Service, token?: string) => {
  const { body } = await call('GET /profile/security-questions', token === undefined ? {} : { token })
  return Object.fromEntries(
    body.security_questions
      .filter(({ response }: { response: string | null }) => response !== null)
      .map(({ id, response }: { id: number; response: string }) => [id, response]),
  )
}

describe('security questions list', () => {
  test('shows 19 different questions, unanswered at first', async ({ service: { call } }) => {
    const { body } = await call('GET /profile/security-questions')
    expect(Object.keys(body)).toEqual(['security_questions'])
    expect(body.security_questions).toHaveLength(19)
    expect(body.security_questions[0]).toEqual({ id: 1, question: expect.stringMatching(/\?$/), response: null })
    for (const field of ['id', 'question']) {
      expect(new Set(body.security_questions.map((item: Record<string, unknown>) => item[field])).size).toBe(19)
    }
  })

  test('shows answers to the user who gave them', async ({ service }) => {
    await answer(service, three)
    expect(await answered(service)).toEqual({ 1: 'Springfield', 7: 'Elm Street', 19: 'Smith' })
    expect(Object.keys(await answered(service, service.world.token('*', 2)))).toEqual(['1', '4', '15'])
    expect(await answered(service, service.world.token('*', 3))).toEqual({})
  })
})

describe('security questions answer', () => {
  test('stores three answers and repeats them', async ({ service }) => {
    const { status, body } = await answer(service, three)
    expect(status).toBe(200)
    expect(body.security_questions).toEqual(
      three.map((given) => ({ ...given, security_question: expect.stringMatching(/\?$/) })),
    )
  })

  test('overwrites earlier answers, and resets those that are not given again', async ({ service }) => {
    await answer(service, three)
    await answer(service, [
      { question_id: 1, response: 'Shelbyville' },
      { question_id: 2, response: 'Rex' },
      { question_id: 3, response: 'Beetle' },
    ])
    expect(await answered(service)).toEqual({ 1: 'Shelbyville', 2: 'Rex', 3: 'Beetle' })
  })

  test.for<[why: string, given: unknown]>([
    ['none', []],
    ['two', three.slice(1)],
    ['four', [...three, { question_id: 2, response: 'Rex' }]],
    ['the same one twice', [three[0], three[1], three[0]]],
    ['the same one twice, answered differently', [three[0], three[1], { question_id: 7, response: 'other' }]],
    ['no list', three[0]],
  ])('refuses %s', async ([, given], { service }) => {
    const { status, body } = await answer(service, given)
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ field: 'security_questions' }] })
    expect(await answered(service)).toEqual({})
  })

  test.for<[field: string, wrong: object]>([
    ['question_id', { question_id: 20 }],
    ['question_id', { question_id: 0 }],
    ['question_id', { question_id: '7' }],
    ['question_id', { question_id: 1.5 }],
    ['response', { response: '' }],
    ['response', { response: null }],
    ['response', { response: 7 }],
  ])('names the answer whose %s is wrong: %j', async ([field, wrong], { service }) => {
    const { status, body } = await answer(service, [three[0], { ...three[1], ...wrong }, three[2]])
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ field: `security_questions[1].${field}` }],
    })
    expect(await answered(service)).toEqual({})
  })

  test('needs the list', async ({ service: { call } }) => {
    expect(await call(line)).toMatchObject(refused(400, 'security_questions is required', 'security_questions'))
  })
})
