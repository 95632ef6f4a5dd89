/** Runs a guided flow without a terminal: answers come from a list, and its output is collected. */

import type { InputCheck, PromptChoice, Prompts } from '../../src/engine/questions'
import { Problem } from '../../src/errors'

/** Answer to a question: for a choice a prefix of its name, for levels those to change; a function is called when asked. */
export type Answer = string | boolean | Readonly<Record<string, string>> | (() => string)

export interface Talk {
  ask: Prompts
  say(text: string): Promise<void>
  /** Questions begin with `? `, errors with `> `. */
  lines: string[]
  /** Names of the last choices. */
  offered: string[]
}

/** Creates a talk; after the last answer, Ctrl-C is simulated. */
export function talk(...answers: Answer[]): Talk {
  const lines: string[] = []
  const offered: string[] = []
  const remaining = [...answers]
  const next = () => {
    const answer = remaining.shift()
    if (answer === undefined) throw new Problem('interrupted', 'interrupted at a prompt')
    return typeof answer === 'function' ? answer() : answer
  }
  /** Asks until the check accepts an answer. */
  const until = async (question: () => string, check: InputCheck = () => true) => {
    for (;;) {
      lines.push(`? ${question()}`)
      const text = String(next())
      const verdict = check(text)
      if (verdict === true) return text
      lines.push(`> ${verdict}`)
    }
  }
  const pick = <T>(choices: readonly PromptChoice<T>[], text: string): T => {
    offered.splice(0, Number.POSITIVE_INFINITY, ...choices.map(({ name }) => name))
    const chosen = choices.find(({ name }) => name.startsWith(text))
    if (!chosen) throw new Error(`"${text}" is not among: ${offered.join(', ')}`)
    return chosen.value
  }
  return {
    lines,
    offered,
    async say(text) {
      lines.push(...text.split('\n'))
    },
    ask: {
      text: (message, { initial, check } = {}) => until(() => (initial ? `${message} (${initial})` : message), check),
      secret: (message, { check } = {}) => until(() => `${message} ***`, check),
      code: (message, { left, check }) => until(() => `${message} (${left()})`, check),
      async confirm(message) {
        lines.push(`? ${message} (y/N)`)
        return next() === true
      },
      async select(message, choices) {
        lines.push(`? ${message}`)
        return pick(choices, String(next()))
      },
      async search(message, find) {
        lines.push(`? ${message}`)
        return pick(find(String(next())), '')
      },
      async levels(message, { things, levels, check }) {
        for (;;) {
          lines.push(`? ${message}: ${levels.join(', ')}`)
          offered.splice(0, Number.POSITIVE_INFINITY, ...things)
          const raised = Object(next()) as Record<string, string>
          const chosen = new Map(things.map((thing) => [thing, raised[thing] ?? String(levels[0])]))
          const verdict = check(chosen)
          if (verdict === true) return chosen
          lines.push(`> ${verdict}`)
        }
      },
      window: { columns: 80, rows: 24, colors: 0, unicode: false },
    },
  }
}
