/**
 * Readers of Mermaid flowcharts and Graphviz's dot, for the subset that skyctl writes. They reject everything else, and
 * return labels as they are displayed.
 */

export interface ReadNode {
  /** Name of the subgraph around it; empty if there is none. */
  group: string
  label: string
}

export interface ReadDiagram {
  groups: Map<string, string>
  nodes: Map<string, ReadNode>
  edges: { from: string; to: string; label: string; kind: string }[]
}

const wrong = (what: string): never => {
  throw new Error(`no such statement: ${what}`)
}

const closing: Readonly<Record<string, string>> = { '["': '"]', '[("': '")]', '(["': '"])', '{{"': '"}}' }
const nodeLine = /^ +([a-z]+\d*)(\["|\[\("|\(\["|\{\{")(.*)$/
const edgeLine = /^ {2}([a-z]+\d*) (---|-->|-\.->)(?:\|"([^"]*)"\|)? ([a-z]+\d*)$/

/** https://mermaid.js.org/syntax/flowchart.html: nodes with quoted texts, entities in them, links with texts, subgraphs. */
export function readMermaid(text: string): ReadDiagram {
  const read: ReadDiagram = { groups: new Map(), nodes: new Map(), edges: [] }
  const [first, ...lines] = text.replace(/\n$/, '').split('\n')
  if (first !== 'flowchart LR') wrong(first ?? '')
  let group = ''
  for (const line of lines) {
    const [, id = '', title = ''] = /^ {2}subgraph (r\d+)\["([^"]*)"\]$/.exec(line) ?? []
    const edge = edgeLine.exec(line)
    const [, node = '', open = '', rest = ''] = nodeLine.exec(line) ?? []
    if (id !== '' && group === '') {
      read.groups.set(id, mermaidLabel(title))
      group = id
    } else if (line === '  end' && group !== '') group = ''
    else if (edge) {
      const [, from = '', kind = '', label = '', to = ''] = edge
      read.edges.push({ from, to, kind, label: mermaidLabel(label) })
    } else if (node !== '' && rest.endsWith(closing[open] ?? '')) {
      if (read.nodes.has(node)) wrong(`a second ${node}`)
      const label = rest.slice(0, -(closing[open] ?? '').length)
      if (label.includes('"')) wrong(line)
      read.nodes.set(node, { group, label: mermaidLabel(label) })
    } else wrong(line)
  }
  if (group !== '') wrong('a subgraph without end')
  return expectNodes(read)
}

/**
 * Decodes a label. Entities are decimal, and a line break is the only element. Nothing else may have a special meaning.
 */
function mermaidLabel(text: string): string {
  const parts = text.split('<br/>')
  if (parts.some((part) => /[<>"`{}[\]|%&\\;#]/.test(part.replaceAll(/#\d+;/g, '')))) wrong(text)
  const decoded = parts.map((part) => part.replaceAll(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))))
  return decoded.join('\n')
}

const token = /\s+|"((?:[^"\\]|\\.)*)"|->|[{}[\];=,]|[A-Za-z_][A-Za-z0-9_]*/y

/** https://graphviz.org/doc/info/lang.html: a digraph of subgraphs, nodes and edges with lists of attributes. */
export function readDot(text: string): ReadDiagram {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const [match] = token.exec(text) ?? wrong(text.slice(at, at + 40))
    if (match?.trim()) tokens.push(match)
  }
  const read: ReadDiagram = { groups: new Map(), nodes: new Map(), edges: [] }
  const take = (...expected: string[]) => {
    const next = tokens.shift() ?? ''
    if (expected.length > 0 && !expected.includes(next)) wrong(`${next}, not ${expected}`)
    return next
  }
  const takeAttributes = () => {
    const attributes = new Map<string, string>()
    take('[')
    for (let end = ''; end !== ']'; end = take(',', ']')) {
      const name = take()
      take('=')
      attributes.set(name, dotLabel(take()))
    }
    return attributes
  }
  const statements = (group: string) => {
    while (tokens[0] !== '}') {
      const first = take()
      if (first === 'subgraph') {
        const name = take()
        take('{')
        statements(name)
        take('}')
        continue
      }
      if (tokens[0] === '=') {
        take('=')
        const value = dotLabel(take())
        if (first === 'label') read.groups.set(group, value)
      } else if (tokens[0] === '->') {
        take('->')
        const to = take()
        const attributes = takeAttributes()
        const kind = [...attributes].flatMap(([name, value]) => (name === 'label' ? [] : [`${name}=${value}`])).join()
        read.edges.push({ from: first, to, label: attributes.get('label') ?? '', kind })
      } else {
        if (read.nodes.has(first)) wrong(`a second ${first}`)
        read.nodes.set(first, { group, label: takeAttributes().get('label') ?? '' })
      }
      take(';')
    }
  }
  take('digraph')
  take('account')
  take('{')
  statements('')
  take('}')
  if (tokens.length > 0) wrong(tokens.join(' '))
  return expectNodes(read)
}

/**
 * Decodes a label. `
 * ` is a line break. Other escapes would be replaced by names of the graph. Entities are characters.
 */
function dotLabel(text: string): string {
  if (!text.startsWith('"')) return /^\w+$/.test(text) ? text : wrong(text)
  const decoded = text.slice(1, -1).replaceAll(/\\(.)/gs, (whole, char: string) => {
    if (char === 'n') return '\n'
    return char === '"' || char === '\\' ? char : wrong(whole)
  })
  if (/&(?!amp;)/.test(decoded)) wrong(decoded)
  return decoded.replaceAll('&amp;', '&')
}

/** Checks that every edge connects known nodes: both languages would create a node for a misspelled name. */
function expectNodes(read: ReadDiagram): ReadDiagram {
  for (const { from, to } of read.edges) {
    for (const id of [from, to]) if (!read.nodes.has(id)) wrong(`an edge of ${id}`)
  }
  return read
}
