/**
 * Questions to the user through inquirer's prompts. Each prompt is a package of its own: the complete one includes an
 * editor with 530 KB of encodings. Flows use the interface Ask, so that tests can script the answers.
 */
import input from '@inquirer/input'
import password from '@inquirer/password'
import search from '@inquirer/search'
import select from '@inquirer/select'
import { Problem } from '../errors'
import { askBackground, backgroundOf } from './background'
import { codePrompt, confirmPrompt } from './countdown'
import { levelsPrompt } from './levels'
import { plainQuestions } from './plain'
import type { InputCheck, PromptChoice, Prompts, Terminal } from './questions'
import { Screen } from './screen'
import { type Theme, themeFor } from './style'

/** Options of inquirer beside the question. */
type PromptContext = NonNullable<Parameters<typeof input>[1]>

/**
 * Creates questions for a terminal. Ctrl-C rejects with a problem `interrupted`, and a closed input with `refused`,
 * because a missing answer means no.
 */
export function createPrompts(terminal: Terminal): Prompts {
  const questions = terminal.commands ? drawnQuestions(terminal) : plainQuestions(terminal)
  return {
    ...questions,
    confirm: (message, options) => questions.confirm(`${terminal.account}${message}`, options),
    get window() {
      const { output, color, unicode } = terminal
      return { columns: output.columns || undefined, rows: output.rows || undefined, color, unicode }
    },
    async background() {
      const told = terminal.commands ? await askBackground(terminal.input, terminal.output) : undefined
      return told ?? backgroundOf(terminal.colorFgBg) ?? 'dark'
    },
  }
}

function drawnQuestions(terminal: Terminal): Omit<Prompts, 'window' | 'background'> {
  const { yes, safe, unicode } = terminal
  const theme = themeFor(unicode)
  const put = <Q extends { message: string }, T>(
    prompt: (question: Q & { theme: Theme }, context: PromptContext) => Promise<T>,
    question: Q,
  ) => answered(terminal, (context) => prompt({ ...question, message: safe(question.message), theme }, context))
  const shown = (verdict: true | string) => verdict === true || safe(verdict)
  const validate = (check: InputCheck | undefined) => check && { validate: (text: string) => shown(check(text)) }
  const choices = <T>(given: readonly PromptChoice<T>[]) =>
    given.map(({ name, value, description }) => ({
      name: safe(name),
      value,
      ...(description !== undefined && { description: safe(description) }),
    }))
  return {
    text(message, { initial = '', check } = {}) {
      // Hostile characters would be drawn unescaped and become part of the answer.
      const offered = initial === safe(initial)
      return put(input, { message, ...(offered && { default: initial }), ...validate(check) })
    },
    async secret(message, { check } = {}) {
      // Inquirer would keep a rejected secret in the line, where it is invisible.
      for (;;) {
        const text = await put(password, { message, mask: false, toggleMask: false })
        const verdict = check?.(text) ?? true
        if (verdict === true) return text
        terminal.output.write(`> ${safe(verdict)}\n`)
      }
    },
    code: (message, options) => put(codePrompt, { message, ...options }),
    confirm: async (message, { left } = {}) => yes || put(confirmPrompt, { message, left, unicode }),
    select: <T>(message: string, given: readonly PromptChoice<T>[]) =>
      put(select<T>, { message, choices: choices(given) }),
    search: <T>(message: string, find: (typed: string) => readonly PromptChoice<T>[]) =>
      put(search<T>, { message, source: (typed) => choices(find(typed ?? '')) }),
    levels: (message, options) => put(levelsPrompt, { message, ...options }),
  }
}

/** Runs one question on the terminal. */
async function answered<T>(terminal: Terminal, ask: (context: PromptContext) => Promise<T>): Promise<T> {
  const { input, signal } = terminal
  const closed = new AbortController()
  const stop = watchEnd(input, () => closed.abort())
  const screen = new Screen(terminal)
  try {
    return await ask({
      input,
      output: screen,
      signal: AbortSignal.any([signal, closed.signal]),
      clearPromptOnDone: false,
    })
  } catch (error) {
    throw unanswered(error, signal)
  } finally {
    stop()
    screen.end()
  }
}

/** Watches for the end of input (Ctrl-D or a lost terminal), where inquirer waits forever. Returns a stop function. */
function watchEnd(input: NodeJS.ReadStream, ended: () => void): () => void {
  const onKey = (_text: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl && key.name === 'd') ended()
  }
  input.on('keypress', onKey).once('end', ended).once('close', ended)
  return () => void input.off('keypress', onKey).off('end', ended).off('close', ended)
}

function unanswered(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (!(error instanceof Error)) return error
  if (error.name === 'ExitPromptError') return new Problem('interrupted', 'interrupted at a prompt')
  if (error.name === 'AbortPromptError') return new Problem('refused', 'no answer was given')
  return error
}
