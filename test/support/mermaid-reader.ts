/** Reads Mermaid flowcharts, for the subset that skyctl writes. It rejects everything else, and returns labels as displayed. */

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

/** Checks that every edge connects known nodes: Mermaid would create a node for a misspelled name. */
function expectNodes(read: ReadDiagram): ReadDiagram {
  for (const { from, to } of read.edges) {
    for (const id of [from, to]) if (!read.nodes.has(id)) wrong(`an edge of ${id}`)
  }
  return read
}
