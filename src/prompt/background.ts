/** Asks a terminal whether its background is dark or light. */

export type Background = 'dark' | 'light'

/** Query of the background (xterm's OSC 11) and of DA (ECMA-48), which every terminal answers even without OSC 11. */
const question = '\x1b]11;?\x1b\\\x1b[c'
const color = /\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i
const attributes = /\x1b\[\?[\d;]*c/
/** Maximum wait in milliseconds, enough for a remote terminal. */
const patienceMs = 1000

/** Asks the terminal for its background; undefined if it does not answer. */
export async function askBackground(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<Background | undefined> {
  const answer = await exchange(input, output)
  const [, red, green, blue] = color.exec(answer) ?? []
  if (!red || !green || !blue) return undefined
  // Weights of perceived brightness (ITU-R BT.601).
  return 0.299 * brightness(red) + 0.587 * brightness(green) + 0.114 * brightness(blue) > 0.5 ? 'light' : 'dark'
}

/** Converts one to four hexadecimal digits to 0…1 (XParseColor). */
const brightness = (digits: string) => Number.parseInt(digits, 16) / (16 ** digits.length - 1)

/** Sends the query and collects the terminal's answer, which ends with the attributes. */
function exchange(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  const raw = input.isRaw
  input.setRawMode(true)
  return new Promise((resolve) => {
    let answer = ''
    const finish = () => {
      clearTimeout(timer)
      input.off('data', onData).pause()
      input.setRawMode(raw)
      resolve(answer)
    }
    const onData = (bytes: Buffer | string) => {
      answer += bytes.toString()
      if (attributes.test(answer)) finish()
    }
    const timer = setTimeout(finish, patienceMs)
    input.on('data', onData).resume()
    output.write(question)
  })
}

/** Parses rxvt's `15;0` (text and background colour): 7 and bright colours except grey are light. */
export function backgroundOf(colorFgBg: string | undefined): Background | undefined {
  const code = Number(/;(\d+)$/.exec(colorFgBg ?? '')?.[1])
  if (Number.isNaN(code)) return undefined
  return code === 7 || code > 8 ? 'light' : 'dark'
}
