import { type CommentOf, formatYaml } from '../data/yaml'
import { escapeText, escapeYaml } from './escape'

/** Formats a value as a YAML document, with hostile characters escaped. */
export async function yamlText(value: unknown, commentOf?: CommentOf): Promise<string> {
  const comments: CommentOf = (path) => {
    const comment = commentOf?.(path)
    return comment === undefined ? undefined : escapeText(comment)
  }
  return formatYaml(value, escapeYaml, commentOf && comments)
}
