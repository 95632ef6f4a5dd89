/**
 * Questions on a terminal without control sequences (TERM=dumb): plain lines as output and input. Line editing is left
 * to the terminal.
 */

import type { InputCheck, Left, PromptChoice, Prompts, Terminal } from '../../engine/questions'
import { Problem } from '../../errors'

/** Maximum number of choices shown; more input narrows them down. */
const shownChoices = 20

type Questions = Omit<Prompts, 'window'>

export function plainQuestions(terminal: Terminal): Questions {
  const lines = new Lines(terminal)
  const { safe, yes } = terminal
  return {
    text: (message, { initial = '', check } = {}) =>
      lines.until(
        async () => (await lines.ask(initial === '' ? message : `${message} (${initial})`)) || initial,
        check,
      ),
    secret: (message, { check } = {}) => lines.until(() => readHidden(`? ${safe(message)} `, terminal), check),
    code: (message, { left, check }) => lines.until(() => lines.ask(withTime(message, left)), check),
    confirm: async (message, { left } = {}) => yes || isYes(await lines.ask(`${withTime(message, left)} (y/N)`)),
    select(message, choices) {
      lines.tell(`? ${safe(message)}`)
      return lines.pick(choices)
    },
    search: (message, find) => lines.search(message, find),
    levels: (message, things) => lines.levels(message, things),
  }
}

export const isYes = (answer: string) => /^y(es)?$/i.test(answer.trim())

/** Adds the time that is left when the question is asked. */
export const withTime = (message: string, left: Left | undefined) => (left ? `${message} (${left()})` : message)

/** Asks in lines of a terminal. */
class Lines {
  constructor(private readonly terminal: Terminal) {}

  tell(text: string): void {
    this.terminal.output.write(`${text}\n`)
  }

  ask(question: string): Promise<string> {
    const { output, safe } = this.terminal
    output.write(`? ${safe(question)} `)
    return readLine(this.terminal)
  }

  async until(read: () => Promise<string>, check: InputCheck = () => true): Promise<string> {
    for (;;) {
      const text = await read()
      const verdict = check(text)
      if (verdict === true) return text
      this.tell(`> ${this.terminal.safe(verdict)}`)
    }
  }

  async pick<T>(choices: readonly PromptChoice<T>[]): Promise<T> {
    choices.forEach(({ name }, index) => {
      this.tell(`  ${index + 1}  ${this.terminal.safe(name)}`)
    })
    for (;;) {
      const chosen = pickOf(choices, await this.ask('Number'))
      if (chosen) return chosen.value
      this.tell(`> Type a number from 1 to ${choices.length}`)
    }
  }

  async search<T>(message: string, find: (text: string) => readonly PromptChoice<T>[]): Promise<T> {
    for (;;) {
      const matches = find(await this.ask(message))
      const [only] = matches
      if (only && matches.length <= shownChoices) return matches.length === 1 ? only.value : this.pick(matches)
      this.tell(only ? `> ${matches.length} matches; type more` : '> No matches')
    }
  }

  async levels(message: string, { things, levels, check }: Parameters<Questions['levels']>[1]) {
    const { safe } = this.terminal
    const isLevel: InputCheck = (text) => text in levels || text === '' || `Type a number up to ${levels.length - 1}`
    for (;;) {
      this.tell(`? ${safe(message)}: ${levels.map((level, index) => `${index} ${level}`).join(', ')}`)
      const answer = new Map<string, string>()
      for (const thing of things) {
        const level = await this.until(() => this.ask(`${thing} (0)`), isLevel)
        answer.set(thing, levels[Number(level)] ?? '')
      }
      const verdict = check(answer)
      if (verdict === true) return answer
      this.tell(`> ${safe(verdict)}`)
    }
  }
}

function pickOf<T>(choices: readonly PromptChoice<T>[], text: string): PromptChoice<T> | undefined {
  return /^\d+$/.test(text.trim()) ? choices[Number(text) - 1] : undefined
}

/** Reads one line from the terminal. Further input is kept for the next question. */
function readLine({ input, output, signal }: Terminal): Promise<string> {
  return reading({ input, output, signal }, (buffer, end) => {
    const [line] = /^.*?\n/s.exec(buffer) ?? []
    if (line === undefined) return
    end(line.replace(/\r?\n$/, ''))
    // Returned after reading has stopped; earlier, it would be read again as part of this line.
    input.unshift(buffer.slice(line.length))
  })
}

const ctrlC = '\x03'
const ctrlD = '\x04'

/** Reads a line without echo. In raw mode, the terminal passes each key and shows none. */
async function readHidden(question: string, { input, output, signal }: Terminal): Promise<string> {
  // Raw mode comes first, because pasted text may arrive at once.
  input.setRawMode(true)
  output.write(question)
  try {
    return await reading({ input, output, signal }, (buffer, end, fail) => {
      if (buffer.includes(ctrlC)) return fail(new Problem('interrupted', 'interrupted at a prompt'))
      if (buffer.includes(ctrlD)) return fail(new Problem('refused', 'no answer was given'))
      const [line] = /^[^\r\n]*(?=[\r\n])/.exec(buffer) ?? []
      if (line !== undefined) end(editedLine(line))
    })
  } finally {
    input.setRawMode(false)
    output.write('\n')
  }
}

/** Applies DEL, Ctrl-H and Ctrl-U to typed keys. */
function editedLine(keys: string): string {
  let text: string[] = []
  for (const key of keys) {
    if (key === '\x15') text = []
    else if (key === '\x7f' || key === '\b') text.pop()
    else text.push(key)
  }
  return text.join('')
}

type Look = (buffer: string, end: (text: string) => void, fail: (error: unknown) => void) => void

/** Collects input until `look` ends it. If the input closes, it rejects. */
function reading(
  { input, output, signal }: Pick<Terminal, 'input' | 'output' | 'signal'>,
  look: Look,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let buffer = ''
    const stop = () => {
      input.off('data', hear).off('end', closed).off('close', closed).pause()
      signal.removeEventListener('abort', aborted)
    }
    const end = (text: string) => {
      stop()
      resolve(text)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const hear = (bytes: Buffer | string) => {
      buffer += bytes.toString()
      look(buffer, end, fail)
    }
    /** Ends the line, so that the next message starts on a new one. */
    const leave = (reason: unknown) => {
      output.write('\n')
      fail(reason)
    }
    const closed = () => leave(new Problem('refused', 'no answer was given'))
    const aborted = () => {
      leave(signal.reason)
    }
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted)
    input.on('data', hear).once('end', closed).once('close', closed).resume()
  })
}
