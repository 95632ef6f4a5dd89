import { formatYaml } from '../data/yaml'
import { safeLines, safeYaml } from './safe'

/** A value as a YAML document that cannot change a terminal. */
export async function yamlText(value: unknown): Promise<string> {
  return safeYaml(await formatYaml(value, (text) => safeLines(text) !== text))
}
