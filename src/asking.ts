/** Questions on the terminal of a run. */
import type { Io } from './io'
import { safe } from './output/safe'
import { textWidth } from './output/width'
import { createAsk } from './prompt/ask'
import { narrowingOf } from './prompt/narrowing'
import type { Ask } from './prompt/questions'
import { showsUnicode } from './rules/environment'
import type { KnownSecrets } from './rules/known-secrets'

interface Asking {
  /** Stands before every question. */
  account: string
  color: boolean
  signal: AbortSignal
  yes: boolean
  secrets: KnownSecrets
}

export function openAsk({ stdin, stderr, env }: Io, { secrets, ...asking }: Asking): Ask {
  const ask = createAsk({
    ...asking,
    input: stdin as NodeJS.ReadStream,
    output: stderr as NodeJS.WriteStream,
    unicode: showsUnicode(env),
    commands: env.TERM !== 'dumb',
    narrowing: narrowingOf(env),
    colorFgBg: env.COLORFGBG,
    safe: (text) => safe(secrets.inMessage(text)),
    widthOf: textWidth,
  })
  const learnt = (typed: string) => {
    secrets.learn(typed)
    return typed
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
