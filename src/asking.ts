/** Questions on the terminal of a run. */
import type { Io } from './io'
import { safe } from './output/safe'
import { textWidth } from './output/width'
import { createAsk } from './prompt/ask'
import { narrowingOf } from './prompt/narrowing'
import type { Ask } from './prompt/questions'
import { showsUnicode } from './rules/environment'

interface Asking {
  /** Stands before every question. */
  account: string
  color: boolean
  signal: AbortSignal
  yes: boolean
}

export function openAsk({ stdin, stderr, env }: Io, asking: Asking): Ask {
  return createAsk({
    ...asking,
    input: stdin as NodeJS.ReadStream,
    output: stderr as NodeJS.WriteStream,
    unicode: showsUnicode(env),
    commands: env.TERM !== 'dumb',
    narrowing: narrowingOf(env),
    colorFgBg: env.COLORFGBG,
    safe,
    widthOf: textWidth,
  })
}
