/** Whether a terminal's background is dark or light, as it says itself. */

export type Background = 'dark' | 'light'

/** xterm's OSC 11 asks for the background; ECMA-48's DA, which every terminal answers, tells when no answer will come. */
const question = '\x1b]11;?\x1b\\\x1b[c'
const color = /\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i
const attributes = /\x1b\[\?[\d;]*c/
/** A terminal far away answers in this time, or not at all. */
const patienceMs = 1000

/** Asks the terminal; undefined where it does not say. */
export async function askBackground(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<Background | undefined> {
  const answer = await exchange(input, output)
  const parts = color.exec(answer)?.slice(1).map(brightness)
  if (!parts) return undefined
  const [red = 0, green = 0, blue = 0] = parts
  // ITU-R BT.601: how much each adds to what is seen as bright.
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark'
}

/** One to four hexadecimal digits, from 0 up to 1 (XParseColor). */
const brightness = (digits: string) => Number.parseInt(digits, 16) / (16 ** digits.length - 1)

/** What the terminal types after the question, up to its attributes. */
function exchange(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  const raw = input.isRaw
  input.setRawMode(true)
  return new Promise((resolve) => {
    let heard = ''
    const finish = () => {
      clearTimeout(timer)
      input.off('data', hear).pause()
      input.setRawMode(raw)
      resolve(heard)
    }
    const hear = (bytes: Buffer | string) => {
      heard += bytes.toString()
      if (attributes.test(heard)) finish()
    }
    const timer = setTimeout(finish, patienceMs)
    input.on('data', hear).resume()
    output.write(question)
  })
}

/** rxvt's `15;0`: the colours of text and background; 7 and the bright ones but grey are light. */
export function backgroundOf(colorFgBg: string | undefined): Background | undefined {
  const code = Number(/;(\d+)$/.exec(colorFgBg ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(code)) return undefined
  return code === 7 || code > 8 ? 'light' : 'dark'
}
