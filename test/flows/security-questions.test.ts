/** `profile security-questions answer` in a terminal, against a real sandbox. */
import { describe, expect } from 'vitest'
import { test } from '../support/terminal'
import { down, enter, interruptAfter, type Step, step, walk } from './steps'

const secrets = ['Tirana', 'Rex the dog', 'ab'] as const

/** Selects questions 1, 3 and 4; a selected question is not offered again. */
const steps: Step[] = [
  step('? Question 1 of 3', enter),
  step('? Answer (not shown)', secrets[0] + enter),
  step('? Question 2 of 3', down + enter),
  step(/2 of 3(.|\n)*\? Answer/, secrets[1] + enter),
  step('? Question 3 of 3', down + enter),
  step(/3 of 3(.|\n)*\? Answer/, secrets[2] + enter),
]
const send = step('? Send these answers? (y/N)', `y${enter}`)

describe('profile security-questions answer', () => {
  test.for([40, 80])(
    'sends three different answers without showing them: %i columns',
    async (columns, { terminal, world }) => {
      const one = terminal('profile security-questions answer', { columns })
      await walk(one, [...steps, send])
      const { exit } = await one.end
      expect(exit).toBe(0)
      expect(world.requests('POST')).toEqual([
        {
          method: 'POST',
          path: '/profile/security-questions',
          body: {
            security_questions: [
              { question_id: 1, response: secrets[0] },
              { question_id: 3, response: secrets[1] },
              { question_id: 4, response: secrets[2] },
            ],
          },
        },
      ])
      for (const secret of secrets.slice(0, 2)) expect(one.raw()).not.toContain(secret)
      // Wrapped between words in a narrow window.
      expect(one.raw().replaceAll(/( \\)?\s+/g, ' ')).toContain(
        'Next time: skyctl profile security-questions answer --body FILE',
      )
    },
  )

  test('prints a summary, and sends nothing after a no', async ({ terminal, world }) => {
    const one = terminal('profile security-questions answer')
    await walk(one, [...steps, step('? Send these answers? (y/N)', enter)])
    const { exit, screen } = await one.end
    expect(exit).toBe(6)
    expect(screen.slice(-8)).toEqual([
      '  In what city were you born?',
      '    ****** (6 characters)',
      '  What was the make of your first car?',
      '    *********** (11 characters)',
      '  What was the name of your first school?',
      '    ** (2 characters)',
      '✘ Send these answers? No',
      'skyctl: not confirmed; no answer was sent',
    ])
    expect(world.requests('POST')).toEqual([])
  })

  const prompts = [...steps, send]
  test.for([0, 1, prompts.length - 1])(
    'sends nothing after Ctrl-C at prompt %i',
    async (index, { shellTerminal, world }) => {
      const line = 'skyctl profile security-questions answer'
      const { exit, screen } = await interruptAfter(shellTerminal, line, prompts.slice(0, index + 1))
      expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
      expect(world.requests('POST')).toEqual([])
    },
  )
})
