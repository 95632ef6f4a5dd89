/** Reads the rules of a file to add to a firewall: one, a list, or one per line. */

import type { BodyInput } from '../../../account/journal-lines'
import { nameOfSource, readText } from '../../../engine/body-file'
import type { CommandInput } from '../../../engine/command'
import { checkEach, parseBodies, parseList } from '../../../engine/ndjson-input'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { type Direction, hasAllRules } from '../../../firewall/rules'
import { isRecord } from '../../../rules/records'
import { shellWord } from '../../../rules/texts'
import { withPeerAddresses } from '../network-names'

type Rule = Record<string, unknown>

/** Reads the file; `complete` validates each rule, with the flags on top. `firewall` is named in hints. */
export async function readAddedRules(
  source: string,
  { direction, firewall, complete }: { direction: Direction; firewall: string; complete(rule: Rule): Rule },
  { flags, session }: CommandInput,
): Promise<Rule[]> {
  return checkEach(await readInputs(firewall, source, session), async ({ body }) => {
    const sides = await withPeerAddresses({ [direction]: [body] }, () => '', { flags, session })
    const [rule] = [sides[direction]].flat()
    return complete(isRecord(rule) ? rule : body)
  })
}

async function readInputs(firewall: string, source: string, session: Session): Promise<BodyInput[]> {
  const [text, name] = [await readText(source, session), nameOfSource(source)]
  const inputs = (await parseList(text, name)) ?? (await parseBodies(text, name))
  if (inputs.some(({ body }) => hasAllRules(body))) {
    throw new Problem('usage', `${name} has all rules of a firewall, not rules to add`, {
      hint: `Replace them: skyctl firewalls rules update ${shellWord(firewall)} --file ${shellWord(source)}`,
    })
  }
  return inputs
}
