/** Opens the prompts of a run on its terminal. */

import { WriteStream } from 'node:tty'
import type { Prompts } from '../../engine/questions'
import { wrapLines } from '../../output/wrap'
import type { Io } from '../../platform/io'
import { type Environment, showsUnicode } from '../../rules/environment'
import { escapeText } from '../../rules/escape'
import type { KnownSecrets } from '../../rules/secrets'
import { createPrompts } from './ask'

interface Asking {
  /** Prefix of every question: the account. */
  account: string
  color: boolean
  signal: AbortSignal
  yes: boolean
  secrets: KnownSecrets
}

/** Reports whether a terminal has 256 colours. Node does not know them of tmux and screen by the name alone. */
const hasManyColors = (env: Environment) =>
  /-256color$/.test(env.TERM ?? '') || WriteStream.prototype.getColorDepth(env) >= 8

export function openPrompts({ stdin, stderr, env, platform }: Io, { secrets, ...asking }: Asking): Prompts {
  const output = stderr as NodeJS.WriteStream
  const ask = createPrompts({
    ...asking,
    input: stdin as NodeJS.ReadStream,
    output,
    manyColors: hasManyColors(env),
    unicode: showsUnicode(env, platform),
    commands: env.TERM !== 'dumb',
    safe: (text) => escapeText(secrets.inMessage(text)),
    wrapText: (text) => wrapLines(text, (output.columns || 80) - 1),
  })
  const learnt = (text: string) => {
    secrets.learn(text)
    return text
  }
  return {
    ...ask,
    secret: async (...question) => learnt(await ask.secret(...question)),
    code: async (...question) => learnt(await ask.code(...question)),
    get window() {
      return ask.window
    },
  }
}
