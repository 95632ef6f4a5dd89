import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, Flag, Flags } from '../../../engine/command'
import { Problem } from '../../../errors'
import { expectRoom } from '../../../firewall/check-rules'
import { directionMeaning } from '../../../rules/protocols'
import { shellWord } from '../../../rules/texts'
import { rulesForm } from '../file-examples'
import { actionFlag, nameFlags, networkFlags, portFlag, protocolFlag } from '../rule-flags'
import { fileFlags, readNewRules } from '../rules-flags'
import { changeFlags, changeRules, ifMatchFlag, readShown } from './change'
import { isDirection, parseDirection, sideArguments } from './direction-arguments'
import { hasNumbers, ruleArgument, ruleHelp } from './rule-argument'

/** Flags for one rule, which the arguments name. */
const fieldFlags: readonly Flag[] = [
  actionFlag,
  protocolFlag,
  portFlag,
  ...networkFlags,
  ...nameFlags.map((flag): Flag => ({ ...flag, rare: true })),
]

export const updateRules: Command = {
  name: 'update',
  aliases: ['set', 'replace'],
  asks: true,
  summary: 'Change one firewall rule, or replace all',
  operations: [firewallRules.update],
  details:
    'With a direction and a rule (label:ssh), changes that rule; otherwise replaces the lists of --file, or a policy. ' +
    'Omitted lists and policies stay unchanged.',
  moreDetails:
    `Shows the difference, and asks before it replaces rules or blocks traffic. Omitted fields of a rule stay ` +
    'unchanged. --from and --to replace all addresses of the rule; an empty --port, --label or --description removes it. ' +
    'skyctl saves the previous rules, and undo restores them. --dry-run only shows the difference; "rules diff" does so ' +
    'for a file, without write access and with an exit code for scripts.\n' +
    `${ruleHelp} A change of one rule keeps what others change meanwhile, unless they change that rule.\n` +
    'A firewall has at most 25 rules. An instance that it protects must not be in a live migration.',
  form: rulesForm('The file of --file'),
  arguments: [...sideArguments, ruleArgument].map((argument, place) => ({
    ...argument,
    rare: true,
    ...(place > 0 && { optional: true }),
  })),
  flags: [...fieldFlags, ...fileFlags, { ...ifMatchFlag, rare: true }, ...changeFlags],
  argumentsMeant: ruleMeant,
  needsQuestion: hasNumbers,
  examples: [
    {
      what: 'Change who may connect to a port',
      line: 'skyctl firewalls rules update web inbound match:tcp/22 --from 203.0.113.0/24',
    },
    {
      what: 'Only show what a file would change',
      line: 'skyctl firewalls rules update web --file rules.yaml --dry-run',
    },
    {
      what: 'Keep the rules only if you can still connect',
      line: "skyctl firewalls rules update web --file rules.yaml --yes --keep-if 'ssh -o ConnectTimeout=5 admin@203.0.113.10 true'",
    },
    {
      what: 'From a pipeline, without a question',
      line: 'cat rules.json | skyctl firewalls rules update web --file - --yes',
    },
    { what: 'Change only a policy', line: 'skyctl firewalls rules update web --outbound-policy drop' },
  ],
  async run({ arguments: [reference = '', ...words], flags }, session) {
    expectOneForm(words, flags)
    if (words.length > 0) {
      const { updateOne } = await import('./update-one')
      return updateOne(reference, words, { flags, session })
    }
    const input = await readNewRules(reference, flags, session)
    const read = await readShown(reference, { flags, session })
    const name = nameOf(firewallResource, read.firewall)
    if (flags.validate !== false) expectRoom(input, read.shown, name)
    const question = `The changes above will apply at once. Replace the rules of ${name}`
    await changeRules(read, { edit: { kind: 'replace', input }, question, notes: input }, { flags, session })
  },
}

/** `update web 4 --from …` and `update web in 4`: returns the arguments with the direction; undefined for right ones. */
function ruleMeant(words: readonly string[], flags: Flags): string[] | undefined {
  const [firewall = '', word = '', ...others] = words
  const isFile = others.length === 0 && isFileName(word)
  if (word === '' || isDirection(word) || isFile) return undefined
  const meaning = directionMeaning(word)
  if (others.length > 0) return meaning && [firewall, meaning, ...others]
  const rule = word.replace(/^(tcp|udp)\/(?=\d)/i, 'match:$&')
  return meaning ? undefined : [firewall, flags.to === undefined ? 'inbound' : 'outbound', rule]
}

const isFileName = (word: string) =>
  /[/\\]|\.(ya?ml|json)$/i.test(word) && !/^(match:|label:|(tcp|udp)\/\d)/i.test(word)

/** Throws `usage` for flags of all rules with the name of one, and for those of one rule without a name. */
function expectOneForm(words: readonly string[], flags: Flags): void {
  const firstOf = (some: readonly Flag[]) => some.find(({ name }) => flags[name] !== undefined)?.name
  const [all, one] = [firstOf(fileFlags), firstOf(fieldFlags)]
  const isNamed = words.length > 0
  if (isNamed) expectDirection(words, flags)
  if (all !== undefined && (isNamed || one !== undefined)) {
    const named = isNamed ? `"${words.join(' ')}" is one` : `--${one} changes one`
    throw new Problem('usage', `--${all} is for all rules, and ${named}`, {
      hint: `Leave out --${all}, or ${isNamed ? 'the direction and the rule' : `--${one}`}`,
    })
  }
  if (one === undefined || isNamed) return
  // The example of the help has an inbound rule.
  const next =
    one === 'to' ? { hint: 'Write outbound and the rule after the firewall' } : { lacks: ['direction', 'rule'] }
  throw new Problem('usage', `--${one} changes one rule, and none is named`, next)
}

function expectDirection([word = '', ...others]: readonly string[], flags: Flags): void {
  const [, ...meant] = ruleMeant(['', word, ...others], flags) ?? []
  if (meant.length > others.length + 1)
    throw new Problem('usage', `the direction of rule "${word}" is missing`, { otherWord: [word, ...meant] })
  if (others.length > 0 || !isFileName(word)) return void parseDirection(word)
  throw new Problem('usage', `unexpected argument "${word}"`, { hint: `Did you mean --file ${shellWord(word)}?` })
}
