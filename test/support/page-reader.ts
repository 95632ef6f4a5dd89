/** Reads HTML pages strictly, and looks at them in a browser. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Browser, type OpenPage, startChromium } from './chromium'

let browser: Promise<Browser> | undefined
afterAll(async () => (await browser)?.close())

/** Writes a page below a folder, and opens it in the Chromium of the test file. */
export async function openPage(text: string, folder: string): Promise<OpenPage> {
  const file = join(folder, 'page.html')
  writeFileSync(file, text)
  browser ??= startChromium()
  const first = await browser
  // On a busy machine, a new Chromium sometimes never answers; a second one does.
  const late = once(AbortSignal.timeout(20_000), 'abort').then(() => undefined)
  const page = await Promise.race([first.open(file), late])
  if (page) return page
  first.kill()
  browser = startChromium()
  return (await browser).open(file)
}

export interface ReadPage {
  /** Text of the body, with single blanks. */
  text: string
  /** Names of all elements. */
  elements: ReadonlySet<string>
  attributes: readonly { name: string; value: string }[]
  policy: string | undefined
  /** The policy allows exactly this style, and nothing else. */
  expectedPolicy: string
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string) =>
  text.replaceAll(/&([^;\s]*);?/g, (whole, name: string) => {
    if (entities[name] === undefined) throw new Error(`unknown entity: ${whole}`)
    return entities[name]
  })

const element = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)>/g

/** Throws if markup characters appear outside of well-formed elements, or if elements are not closed in their order. */
export function readPage(page: string): ReadPage {
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? []
  const open: string[] = []
  const elements = new Set<string>()
  const attributes: ReadPage['attributes'][number][] = []
  const rest = page.replace('<!doctype html>', '').replace(style, '')
  const text = rest.replaceAll(element, (_, slash: string, name: string, more: string) => {
    elements.add(name)
    for (const [, key = '', value = ''] of more.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g))
      attributes.push({ name: key, value: decoded(value) })
    if (slash === '' && name !== 'meta') open.push(name)
    if (slash !== '' && open.pop() !== name) throw new Error(`</${name}> closes another element`)
    return / (bdi|small|span|strong|a|code) /.test(` ${name} `) ? '' : ' '
  })
  if (/[<>"]/.test(text)) throw new Error(`markup outside of elements: ${/.{0,40}[<>"].{0,40}/.exec(text)?.[0]}`)
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    text: decoded(text).replaceAll(/\s+/g, ' ').trim(),
    elements,
    attributes,
    policy: attributes.find(({ value }) => value.startsWith('default-src'))?.value,
    expectedPolicy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  }
}

/** Elements that pages use. None of them loads or runs anything. */
export const harmlessElements: ReadonlySet<string> = new Set(
  (
    'html head meta title style body header main footer nav section h1 h2 h3 h4 p ul ol li dl dt dd div span small strong ' +
    'bdi a code table thead tbody tr th td details summary article'
  ).split(' '),
)

/** Returns texts whose contrast with their background is lower than WCAG 2.2 asks for (1.4.3: 4.5), with the ratio. */
export const faintTexts = (page: OpenPage) => page.evaluate<string[]>(`(${findFaintTexts})()`)

// Runs in the browser, so it is text here: it may use nothing of this module.
const findFaintTexts = `() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const backOf = (element) => {
    const color = element ? channels(getComputedStyle(element).backgroundColor) : [255, 255, 255]
    return color[3] === 0 ? backOf(element.parentElement) : color
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = []
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode
    if (textContent.trim() === '') continue
    const [one, other] = [channels(getComputedStyle(parentElement).color), backOf(parentElement)].map(luminance)
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < 4.5) faint.push(ratio.toFixed(2) + ' ' + textContent.trim())
  }
  return faint
}`

/** Returns by how many pixels the page is wider than its window. */
export const overflowOf = (page: OpenPage) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
