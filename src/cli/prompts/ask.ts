/**
 * Questions to the user through inquirer's prompts. Each prompt is a package of its own: the complete one includes an
 * editor with 530 KB of encodings. Flows use the interface Ask, so that tests can script the answers.
 */

import { Writable } from 'node:stream'
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core'
import input from '@inquirer/input'
import password from '@inquirer/password'
import search from '@inquirer/search'
import select from '@inquirer/select'
import type { InputCheck, PromptChoice, Prompts, Terminal, Window } from '../../engine/questions'
import { Problem } from '../../errors'
import { isYes, plainQuestions, withTime } from './plain'
import { keysLine, type Theme, themeFor } from './style'

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
    get window(): Window {
      const { output, commands, manyColors, unicode } = terminal
      const size = { columns: output.columns || undefined, rows: output.rows || undefined }
      const most = manyColors ? 256 : 16
      return { ...size, colors: commands ? most : 0, unicode }
    },
  }
}

function drawnQuestions(terminal: Terminal): Omit<Prompts, 'window'> {
  const { yes, safe, wrapText, unicode } = terminal
  const theme = themeFor(unicode)
  const put = <Q extends { message: string }, T>(
    prompt: (question: Q & { theme: Theme }, context: PromptContext) => Promise<T>,
    question: Q,
    tail = '',
  ) => {
    const line = wrapText(`? ${safe(question.message)}${tail}`)
    const message = line.slice('? '.length, line.length - tail.length)
    return answered(terminal, (context) => prompt({ ...question, message, theme }, context))
  }
  const shown = (verdict: true | string) => verdict === true || safe(verdict)
  const validate = (check: InputCheck | undefined) => check && { validate: (text: string) => shown(check(text)) }
  const choices = <T>(items: readonly PromptChoice<T>[]) =>
    items.map(({ name, value, description }) => ({
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
    secret: (message, { check } = {}) =>
      accepted(() => put(password, { message, mask: false, toggleMask: false }), { check, terminal }),
    code: (message, { left, check }) => put(input, { message: withTime(message, left), ...validate(check) }),
    confirm: async (message, { left } = {}) =>
      yes || put(confirmPrompt, { message: withTime(message, left) }, '\u00a0(y/N)'),
    select: <T>(message: string, items: readonly PromptChoice<T>[]) =>
      put(select<T>, { message, choices: choices(items) }),
    search: <T>(message: string, find: (text: string) => readonly PromptChoice<T>[]) =>
      put(search<T>, { message, source: (text) => choices(find(text ?? '')) }),
    levels: (message, options) => put(levelsPrompt, { message, ...options }),
  }
}

/** Asks until the check accepts the answer: inquirer would keep a rejected secret in the line, where it is invisible. */
async function accepted(
  ask: () => Promise<string>,
  { check, terminal: { output, safe } }: { check: InputCheck | undefined; terminal: Terminal },
): Promise<string> {
  for (;;) {
    const text = await ask()
    const verdict = check?.(text) ?? true
    if (verdict === true) return text
    output.write(`> ${safe(verdict)}\n`)
  }
}

/** Runs one question on the terminal. */
async function answered<T>(terminal: Terminal, ask: (context: PromptContext) => Promise<T>): Promise<T> {
  const { input, signal } = terminal
  const closed = new AbortController()
  const stop = watchEnd(input, () => closed.abort())
  const output = outputFor(terminal)
  try {
    return await ask({
      input,
      output,
      signal: AbortSignal.any([signal, closed.signal]),
      clearPromptOnDone: false,
    })
  } catch (error) {
    throw unanswered(error, signal)
  } finally {
    stop()
    output.end()
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

/** Colour sequence (ECMA-48: select graphic rendition). */
const coloring = /\x1b\[[\d;]*m/g

/** Passes the drawing on to the terminal. Inquirer always colours, except with NO_COLOR. */
function outputFor({ output, color }: Terminal): Writable {
  const drawn = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      output.write(color ? String(chunk) : String(chunk).replaceAll(coloring, ''))
      // Called at once, so that no output is pending when the question ends.
      done()
    },
  })
  return Object.defineProperty(drawn, 'columns', { get: () => output.columns })
}

/** Asks yes or no. Any other answer, or none, means no. */
const confirmPrompt = createPrompt<boolean, { message: string; theme: Theme }>(({ message, theme: own }, done) => {
  const theme = makeTheme(own)
  const [status, setStatus] = useState('idle')
  const [value, setValue] = useState('')
  const prefix = usePrefix({ status, theme })
  useKeypress((key, line) => {
    if (status === 'done') return
    if (!isEnterKey(key)) return setValue(line.line)
    setStatus('done')
    done(isYes(value))
  })
  const question = theme.style.message(message, status)
  if (status !== 'done') return `${prefix} ${question} ${theme.style.defaultAnswer('y/N')} ${value}`
  const [mark, answer] = isYes(value) ? [prefix, 'Yes'] : [own.prefix.declined, 'No']
  return `${mark} ${question} ${theme.style.answer(answer)}`
})

interface LevelsQuestion {
  message: string
  things: readonly string[]
  /** Levels in ascending order; all items start with the first. */
  levels: readonly string[]
  check: (levels: ReadonlyMap<string, string>) => true | string
  theme: Theme
}

const hideCursor = '\x1b[?25l'
const levelKeys = keysLine('space changes, a changes all, ')

function levelLine(text: string, isActive: boolean, { icon, style }: ReturnType<typeof makeTheme<Theme>>): string {
  const line = `${isActive ? icon.cursor : ' '} ${text}`
  return isActive ? style.highlight(line) : line
}

const levelsPrompt = createPrompt<Map<string, string>, LevelsQuestion>((question, done) => {
  const { message, things, levels, check } = question
  const theme = makeTheme(question.theme)
  const [status, setStatus] = useState('idle')
  const [active, setActive] = useState(0)
  const [chosen, setChosen] = useState<readonly number[]>(things.map(() => 0))
  const [fault, setFault] = useState<string | undefined>(undefined)
  const head = `${usePrefix({ status, theme })} ${theme.style.message(message, status)}`
  const levelOf = (index: number) => levels[chosen[index] ?? 0] ?? ''
  const answer = () => new Map(things.map((thing, index) => [thing, levelOf(index)]))
  const raise = (steps: number, which: (index: number) => boolean) =>
    setChosen(chosen.map((level, index) => (which(index) ? (level + steps + levels.length) % levels.length : level)))

  useKeypress((key) => {
    if (status === 'done') return
    setFault(undefined)
    if (isUpKey(key)) setActive((active + things.length - 1) % things.length)
    else if (isDownKey(key)) setActive((active + 1) % things.length)
    else if (isSpaceKey(key) || key.name === 'right') raise(1, (index) => index === active)
    else if (key.name === 'left') raise(-1, (index) => index === active)
    else if (key.name === 'a') setChosen(chosen.map(() => ((chosen[active] ?? 0) + 1) % levels.length))
    else if (isEnterKey(key)) {
      const verdict = check(answer())
      if (verdict !== true) return setFault(verdict)
      setStatus('done')
      done(answer())
    }
  })

  const wide = Math.max(...things.map((thing) => thing.length))
  const page = usePagination({
    items: things,
    active,
    pageSize: 16,
    loop: false,
    renderItem: ({ item, index, isActive }) => levelLine(`${item.padEnd(wide)}  ${levelOf(index)}`, isActive, theme),
  })
  if (status === 'done') return `${head} ${theme.style.answer(`${chosen.filter((level) => level > 0).length} chosen`)}`
  return [[head, page, ' ', levelKeys].join('\n') + hideCursor, fault && theme.style.error(fault)]
})
