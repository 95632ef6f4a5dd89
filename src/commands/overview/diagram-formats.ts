/** Writes diagrams in the languages of Mermaid (flowchart) and Graphviz (dot). Texts of others are only ever labels. */
import { escapeText } from '../../rules/escape'
import type { Diagram, DiagramEdge, DiagramNode } from './diagram'

export const drawings = ['mermaid', 'dot'] as const

/**
 * Characters that Mermaid shows as they are. Any other becomes an entity such as `#34;`: quotes end a label, `%%{` begins
 * a directive, `<` HTML, and a backquote Markdown.
 */
const special = /[^\p{L}\p{M}\p{N} ._,:/()+-]/gu

const mermaidText = (text: string) => escapeText(text).replace(special, (char) => `#${char.codePointAt(0)};`)

const mermaidShapes: Readonly<Record<DiagramNode['shape'], readonly [string, string]>> = {
  box: ['["', '"]'],
  disk: ['[("', '")]'],
  round: ['(["', '"])'],
  hexagon: ['{{"', '"}}'],
}
const mermaidEdges: Readonly<Record<DiagramEdge['kind'], string>> = { line: '---', arrow: '-->', dotted: '-.->' }

export function mermaid({ groups, nodes, edges }: Diagram): string {
  const nodeLine = ({ id, lines, shape }: DiagramNode) =>
    `${id}${mermaidShapes[shape][0]}${lines.map(mermaidText).join('<br/>')}${mermaidShapes[shape][1]}`
  return text([
    'flowchart LR',
    ...groups.flatMap(({ id, label, nodes: own }) => [
      `  subgraph ${id}["${mermaidText(label)}"]`,
      ...own.map((node) => `    ${nodeLine(node)}`),
      '  end',
    ]),
    ...nodes.map((node) => `  ${nodeLine(node)}`),
    ...edges.map(({ from, to, label, kind }) => {
      const named = label === undefined ? '' : `|"${mermaidText(label)}"|`
      return `  ${from} ${mermaidEdges[kind]}${named} ${to}`
    }),
  ])
}

/** A quoted string. A backslash begins an escape such as `\N`, and `&` an entity. */
const dotText = (text: string) => escapeText(text).replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('&', '&amp;')

const dotShapes: Readonly<Record<DiagramNode['shape'], string>> = {
  box: 'box',
  disk: 'cylinder',
  round: 'ellipse',
  hexagon: 'hexagon',
}
const dotEdges: Readonly<Record<DiagramEdge['kind'], string>> = {
  line: 'dir=none',
  arrow: 'dir=forward',
  dotted: 'style=dotted',
}

export function dot({ groups, nodes, edges }: Diagram): string {
  const nodeLine = ({ id, lines, shape }: DiagramNode) =>
    `${id} [label="${lines.map(dotText).join(String.raw`\n`)}", shape=${dotShapes[shape]}];`
  return text([
    'digraph account {',
    '  rankdir=LR;',
    ...groups.flatMap(({ id, label, nodes: own }) => [
      `  subgraph cluster_${id} {`,
      `    label="${dotText(label)}";`,
      ...own.map((node) => `    ${nodeLine(node)}`),
      '  }',
    ]),
    ...nodes.map((node) => `  ${nodeLine(node)}`),
    ...edges.map(({ from, to, label, kind }) => {
      const named = label === undefined ? '' : `, label="${dotText(label)}"`
      return `  ${from} -> ${to} [${dotEdges[kind]}${named}];`
    }),
    '}',
  ])
}

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
