/** Recognizes an account file where a command reads one object. */
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import { shellWord } from '../rules/texts'

/** Kinds of objects in account files. */
const kinds = ['volumes', 'firewalls', 'sshkeys', 'rdns', 'ips', 'tokens']

/** Throws `usage` for an account file. `keys` are those that the object may have; `name` is a quoted path, or stdin. */
export function expectNoAccountFile(value: unknown, name: string, keys: readonly string[]): void {
  const kind = isRecord(value) && kinds.find((key) => Object.hasOwn(value, key) && !keys.includes(key))
  if (!kind) return
  const [, path] = /^"(.*)"$/s.exec(name) ?? []
  const file = path === undefined ? 'FILE' : shellWord(path)
  throw new Problem('usage', `${name} is an account file: it has "${kind}"`, {
    hint: `To preview and apply it: skyctl plan ${file}, then skyctl apply ${file}`,
  })
}
