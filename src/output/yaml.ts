import { type CommentOf, formatYaml } from '../data/yaml'
import { safe, safeYaml } from './safe'

/** A value as a YAML document that cannot change a terminal. */
export async function yamlText(value: unknown, commentOf?: CommentOf): Promise<string> {
  const comments: CommentOf = (path) => {
    const comment = commentOf?.(path)
    return comment === undefined ? undefined : safe(comment)
  }
  return formatYaml(value, safeYaml, commentOf && comments)
}
