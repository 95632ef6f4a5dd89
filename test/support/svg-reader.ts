/** Reads pictures of terminals, independent of the code that draws them. */
import jsQR from 'jsqr'

interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  /** Text of the element itself, without its children's. */
  text: string
}

const token =
  /<(?<open>\w+)(?<attributes>(?:\s+[\w:-]+="(?:[^<&"]|&\w+;)*")*)\s*(?<empty>\/?)>|<\/(?<close>\w+)>|(?<text>(?:[^<&]|&(?:amp|lt|gt|quot);)+)/y

/** Returns the elements in order. Throws if the text is malformed XML. */
export function readElements(xml: string): Element[] {
  const elements: Element[] = []
  const open: Element[] = []
  token.lastIndex = 0
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const { groups } = token.exec(xml) ?? {}
    if (!groups) throw new Error(`not well-formed: ${xml.slice(at, at + 60)}`)
    if (groups.text !== undefined) {
      const last = open.at(-1)
      if (last) last.text += unescapeXml(groups.text)
      else if (groups.text.trim() !== '') throw new Error(`a text outside of all elements: ${groups.text}`)
    } else if (groups.close !== undefined) {
      if (open.pop()?.name !== groups.close) throw new Error(`</${groups.close}> closes nothing`)
    } else {
      const element = { name: groups.open ?? '', attributes: attributesIn(groups.attributes ?? ''), text: '' }
      elements.push(element)
      if (groups.empty === '') open.push(element)
    }
  }
  if (open.length > 0) throw new Error(`not closed: ${open.map(({ name }) => name)}`)
  return elements
}

function attributesIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    unescapeXml(value),
  ])
  const attributes: Record<string, string> = Object.fromEntries(pairs)
  if (Object.keys(attributes).length < pairs.length) throw new Error(`an attribute occurs twice: ${text}`)
  return attributes
}

function unescapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return text.replaceAll(/&(\w+);/g, (_, name) => entities[name] ?? '?')
}

/** Returns the lines that the texts of a picture form: a letter is 10 wide, and a line 22 high. */
export function linesOf(elements: readonly Element[]): string[] {
  const lines: string[] = []
  for (const { name, attributes, text } of elements) {
    if (name !== 'text') continue
    const row = Math.floor((Number(attributes.y) - 18) / 22)
    const column = (Number(attributes.x) - 24) / 10
    while (lines.length <= row) lines.push('')
    lines[row] = lines[row]?.padEnd(column) + text
  }
  return lines
}

/** Returns the colour of each class in a scheme. */
export function colorsOf(elements: readonly Element[], scheme: 'light' | 'dark'): Record<string, string> {
  const [light = '', dark = ''] = elements.find(({ name }) => name === 'style')?.text.split('@media') ?? []
  const sheet = scheme === 'light' ? light : light + dark
  return Object.fromEntries([...sheet.matchAll(/\.(\w+)\{fill:(#\w{6})\}/g)].map(([, name, color]) => [name, color]))
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the text of the QR code in a picture; undefined if there is none. */
export function scanPicture(elements: readonly Element[]): string | undefined {
  const { width, height } = sizeOf(elements)
  const pixels = new Uint8ClampedArray(width * height * 4).fill(128)
  for (const { shade, x, y, width: wide, height: high } of areasOf(elements)) {
    for (let row = y; row < y + high; row += 1) {
      pixels.fill(shade, (row * width + x) * 4, (row * width + x + wide) * 4)
    }
  }
  return jsQR(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data
}

function sizeOf(elements: readonly Element[]) {
  const [, , width = 0, height = 0] = elements[0]?.attributes.viewBox?.split(' ').map(Number) ?? []
  return { width, height }
}

/** Returns the backgrounds of cells, and then the rectangles of paths. */
function areasOf(elements: readonly Element[]) {
  return elements.flatMap(({ name, attributes }) => {
    const shade = attributes.class === 'paper area' ? 255 : 0
    if (name === 'path') {
      return [...(attributes.d ?? '').matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\3z/g)].map((match) => {
        const [, x = 0, y = 0, width = 0, height = 0] = match.map(Number)
        return { shade, x, y, width, height }
      })
    }
    if (name !== 'rect' || !attributes.class?.endsWith('area')) return []
    const { x, y, width, height } = attributes
    return [{ shade, x: Number(x), y: Number(y), width: Number(width), height: Number(height) }]
  })
}
