/** Questions to a person, over inquirer. Flows take this interface, so that a test can answer with a script. */
import { Problem } from '../errors'

export interface Choice<T> {
  name: string
  value: T
  description?: string
}

export interface Ask {
  text(message: string, options?: { initial?: string; check?: (text: string) => true | string }): Promise<string>
  /** What is typed is not shown. */
  secret(message: string, options?: { check?: (text: string) => true | string }): Promise<string>
  /** An empty answer is no. */
  confirm(message: string): Promise<boolean>
  select<T>(message: string, choices: readonly Choice<T>[]): Promise<T>
}

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/**
 * Asks on a terminal. Ctrl-C rejects with a problem `interrupted`, a closed input with `refused`: an answer that was
 * not given is no.
 */
export async function createAsk({ input, output, signal }: Terminal): Promise<Ask> {
  const { default: inquirer } = await import('inquirer')
  const prompt = inquirer.createPromptModule({ input, output, signal, clearPromptOnDone: false })
  const put = async <T>(question: Record<string, unknown>): Promise<T> => {
    try {
      // inquirer's types want the question's shape literally; each caller below knows what it asks for.
      const answers = await prompt([{ name: 'answer', ...question }] as unknown as Parameters<typeof prompt>[0])
      return (answers as { answer: T }).answer
    } catch (error) {
      throw unanswered(error, signal)
    }
  }
  return {
    text: (message, { initial, check } = {}) =>
      put({ type: 'input', message, default: initial, ...(check && { validate: check }) }),
    secret: (message, { check } = {}) =>
      put({ type: 'password', message, mask: false, ...(check && { validate: check }) }),
    confirm: (message) => put({ type: 'confirm', message, default: false }),
    select: (message, choices) => put({ type: 'select', message, choices: [...choices] }),
  }
}

function unanswered(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (!(error instanceof Error)) return error
  if (error.name === 'ExitPromptError') return new Problem('interrupted', 'interrupted at a prompt; nothing was sent')
  if (error.name === 'AbortPromptError') return new Problem('refused', 'no answer was given')
  return error
}
