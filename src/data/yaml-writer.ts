/**
 * Writes YAML that all readers understand alike: the package has the layout, and the rules for quotes are here, because
 * each reader takes other plain texts for a number, a date or a boolean.
 */
import type { CollectionTag, Document, ScalarTag, TagId, Tags, YAMLMap } from 'yaml'

type Yaml = typeof import('yaml')

/** Returns the one-line comment above the value at a path of keys. */
export type CommentOf = (path: readonly string[]) => string | undefined

export interface YamlLayout {
  commentOf?: CommentOf | undefined
  /** True for short lists in brackets, and short objects of lists in braces, as people write them. */
  isCompact?: boolean
}

/**
 * Formats a value as YAML with each text on one line. Texts that a reader could take for something else are quoted, and
 * those that `escapeText` changes, because only double quotes allow escapes. `escapeText` is called with each text, then
 * with the document.
 */
export async function formatYaml(
  value: unknown,
  escapeText: (text: string) => string,
  { commentOf, isCompact = false }: YamlLayout = {},
): Promise<string> {
  const yaml = await import('yaml')
  const shortLists = isCompact ? [shortListTag((text) => quotedIfNeeded(text, escapeText, true), yaml)] : []
  const customTags = (tags: Tags): Tags => [
    ...shortLists,
    textTag(escapeText),
    ...tags.filter((tag) => !isTextTag(tag)),
  ]
  const document = new yaml.Document(value, { aliasDuplicateObjects: false, customTags })
  if (commentOf) addComments(document, commentOf, yaml)
  if (isCompact) makeCompact(document, yaml)
  return escapeText(document.toString({ lineWidth: 0 }))
}

const tagOfTexts = 'tag:yaml.org,2002:str'

const isTextTag = (tag: TagId | Tags[number]) => typeof tag !== 'string' && tag.tag === tagOfTexts

const textTag = (escapeText: (text: string) => string): ScalarTag => ({
  tag: tagOfTexts,
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (text) => text,
  stringify({ value }, { inFlow, implicitKey }) {
    const text = quotedIfNeeded(String(value), escapeText, inFlow === true)
    // psych merges even a quoted key, unless it has the tag of texts.
    return value === mergeKey && implicitKey === true ? `!!str ${text}` : text
  },
})

const mergeKey = '<<'

function addComments(document: Document, commentOf: CommentOf, { isPair, isScalar, visit }: Yaml) {
  visit(document, {
    Pair(_key, { key }, above) {
      if (!isScalar(key)) return
      const comment = commentOf([...above.filter(isPair).map((pair) => String(pair.key)), String(key.value)])
      if (comment !== undefined) key.commentBefore = ` ${comment}`
    },
  })
}

/**
 * Texts that no rule below concerns: most labels, regions and paths, and IPv4 addresses. Of types, only `e12345` is as long
 * with a letter first.
 */
const harmless = /^(?:(?![Ee][-\d])[A-Za-z/][\w./-]{5,}|\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?)$/

/** Signs that would have a meaning: at the begin, at the end, or between blanks. */
const syntax = /^[\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|^(?:---|\.\.\.)|:[ \t]|[\t ]#|[\t :]$/
/** Signs that end a plain text in brackets or braces; for PyYAML before version 5, colons do, too. */
const bracketSyntax = /[,:?[\]{}]/
/** Characters that only double quotes allow, whatever `escapeText` does: controls and lone surrogates. */
const controls = /[\x00-\x1f\x7f-\x9f\u{D800}-\u{DFFF}]/u

/** Plain texts that a reader takes for another type: yaml and js-yaml (YAML 1.1 and 1.2), PyYAML or Ruby's psych. */
const typePatterns: readonly RegExp[] = [
  // Null, booleans, the default value and the merge key of YAML 1.1. psych reads the words in any case.
  /^(?:|~|=|<<|y|n|yes|no|on|off|true|false|null)$/i,
  // Integers and floats; psych reads commas like underscores, and yaml 1.1 an exponent alone.
  /^[-+]?(?:\d[\d_,]*)?(?:\.[\d_,]*)?(?:e[-+]?\d+)?$/i,
  /^[-+]?0[box][\da-f_,]*$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // Numbers to the base 60.
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  // Dates and times.
  /^-?\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt \t])/,
  // A symbol of psych.
  /^:/,
]

function quotedIfNeeded(text: string, escapeText: (text: string) => string, isInBrackets: boolean): string {
  if (harmless.test(text)) return text
  if (controls.test(text) || escapeText(text) !== text) return JSON.stringify(text)
  const hasSyntax = syntax.test(text) || (isInBrackets && bracketSyntax.test(text))
  if (!hasSyntax && !typePatterns.some((one) => one.test(text))) return text
  return text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text)
}

/** Items of a list on one line, such as the addresses of a rule. */
const mostOnALine = 8
/** Length up to which an item of a list in brackets is short: labels, addresses and scopes are, SSH keys are not. */
const shortItem = 50
/** Length up to which an object in braces fits a line. */
const shortObject = 100

/** Puts objects in braces if they fit a line and are in a list, or have only lists. */
function makeCompact(document: Document, { isMap, isNode, isSeq, visit }: Yaml): void {
  visit(document, {
    Seq: (_key, list) => (list.items.some(isNode) ? undefined : visit.SKIP),
    Map(key, map) {
      const isInList = typeof key === 'number'
      const lists = map.items.flatMap(({ value }) => (isSeq(value) ? [value] : []))
      const isOfLists = lists.length === map.items.length && !lists.some(({ items }) => items.some(isMap))
      if (map.items.length === 0 || !(isInList || isOfLists)) return
      if (lists.every(({ items }) => items.length <= mostOnALine) && lengthOf(map) <= shortObject) map.flow = true
    },
  })
}

/** Returns the length of an object in braces, nearly: as JSON without quotes. */
function lengthOf(map: YAMLMap): number {
  const json = JSON.stringify(map, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  return json.replaceAll('"', '').length
}

/**
 * Puts lists of short values in brackets. The package would put each item of a longer list on a line of its own, and make
 * a node of each: a large account has a million addresses.
 */
const shortListTag = (textOf: (text: string) => string, { YAMLSeq }: Yaml): CollectionTag => ({
  tag: 'tag:yaml.org,2002:seq',
  collection: 'seq',
  default: true,
  identify: (value) => Array.isArray(value) && value.every(isShortValue),
  createNode(schema, values) {
    const list = new YAMLSeq(schema)
    list.items = Array.isArray(values) ? values : []
    list.flow = true
    list.toString = (context) => inBrackets(list.items, textOf, context?.indent)
    return list
  },
})

const isShortValue = (value: unknown) =>
  (typeof value !== 'object' || value === null) && value !== undefined && String(value).length <= shortItem

function inBrackets(items: readonly unknown[], textOf: (text: string) => string, indent = ''): string {
  const texts = items.map((item) => (typeof item === 'string' ? textOf(item) : String(item)))
  const lines: string[] = []
  for (let start = 0; start < texts.length; start += mostOnALine)
    lines.push(texts.slice(start, start + mostOnALine).join(', '))
  return `[${lines.join(`,\n${indent} `)}]`
}
