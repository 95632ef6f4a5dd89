import type { ShownFirewall } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRule, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, CommandInput, Flags, Input } from '../../../engine/command'
import { namingOf } from '../../../engine/field-names'
import { textFlag } from '../../../engine/flag-values'
import { concurrencyFlag } from '../../../engine/flags'
import type { Session } from '../../../engine/session'
import { readTargets } from '../../../engine/targets'
import { Problem } from '../../../errors'
import { checkRules } from '../../../firewall/check-rules'
import type { AddEdit } from '../../../firewall/edit'
import { tidyRule } from '../../../firewall/normalize-rules'
import { isRecord } from '../../../rules/records'
import {
  actionFlag,
  familyFlags,
  fieldNames,
  nameFlags,
  networkFlags,
  portFlag,
  protocolFlag,
  readPeers,
  textFields,
} from '../rule-flags'
import { noNotes, type RulesNotes } from '../rules-notes'
import { changeFlags, changeRules, ifMatchFlag, readShown } from './change'
import { isDirection, manySidesArguments, numberFlag, parseSides } from './direction-arguments'

type Rule = Record<string, unknown>

interface Adding {
  edit: AddEdit
  notes: RulesNotes
}

/** Reads the rules of flags, or of `--file` with flags on top; validates them unless flags skip it. */
async function readAdding(
  { direction, names: [firewall = ''] }: ReturnType<typeof parseSides>,
  { flags, session }: CommandInput,
): Promise<Adding> {
  const peers = await readPeers(direction, { flags, session })
  const naming = namingOf({ flags, names: { ...fieldNames, ...peers.names }, files: ['file'] })
  const masked: string[] = []
  const complete = (input: Rule) => {
    const rule = tidyRule(withFlags(input, peers.addresses, flags), masked)
    if (flags.validate !== false) checkRules(firewallRule, { value: rule }, { naming })
    return rule
  }
  const file = textFlag(flags, 'file')
  const rules =
    file === undefined
      ? [complete({})]
      : await (await import('./read-added-rules')).readAddedRules(
          file,
          { direction, firewall, complete },
          { flags, session },
        )
  const edit: AddEdit = { kind: 'add', direction, rules, at: numberFlag(flags), ifAbsent: flags['if-absent'] === true }
  return { edit, notes: { ...noNotes, masked } }
}

function withFlags(body: Rule, peers: Rule, flags: Flags): Rule {
  const replacesAll = flags.from !== undefined || flags.to !== undefined
  const addresses = { ...(!replacesAll && isRecord(body.addresses) && body.addresses), ...peers }
  const some = Object.keys(addresses).length > 0 || flags.validate === false
  return { ...body, ...textFields(flags), ...(some && { addresses }) }
}

export const addRule: Command = {
  name: 'add',
  asks: true,
  summary: 'Add a rule to a firewall',
  operations: [firewallRules.update],
  details: 'Inbound rules need --from, outbound ones --to. The first matching rule decides.',
  moreDetails:
    'A firewall has at most 25 rules. Networks are addresses, networks or their names, of both families, or anywhere: ' +
    'skyctl help networks. Keeps changes that others make meanwhile.\n' +
    'A file may have a list of rules, or NDJSON with a rule on each line: skyctl adds all of them, in this order, in one ' +
    'request.',
  arguments: manySidesArguments.map((argument) => ({ ...argument, rare: true })),
  flags: [
    { ...actionFlag, required: true },
    { ...protocolFlag, required: true },
    { ...portFlag, oldNames: ['ports'], description: `${portFlag.description} (default: all)` },
    ...networkFlags,
    ...familyFlags,
    ...nameFlags,
    { name: 'at', value: 'n', description: 'Position of the new rule, from 1 (default: the last)' },
    {
      name: 'file',
      aliases: ['body'],
      value: 'file',
      description: 'Rules as JSON, YAML or NDJSON, - is stdin',
      values: 'files',
    },
    { name: 'if-absent', description: 'Skip rules that already exist, whatever their label' },
    { ...ifMatchFlag, rare: true },
    concurrencyFlag,
    ...changeFlags,
  ],
  argumentsMeant: async (words) => (await import('./port-among-words')).trafficMeant(words),
  lacks: lacksPeers,
  examples: [
    {
      what: 'Allow SSH from an office, before all other rules',
      line: 'skyctl firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 203.0.113.0/24 --label ssh --at 1',
    },
    {
      what: 'Add the missing rules of a file to several firewalls',
      line: 'skyctl firewalls rules add web spare inbound --file rules.ndjson --if-absent',
    },
    {
      what: 'Allow HTTPS to all destinations',
      line: 'skyctl firewalls rules add web outbound --action accept --protocol tcp --port 443 --to anywhere',
    },
  ],
  async run({ arguments: words, flags }, session) {
    if (!words.some(isDirection)) (await import('./port-among-words')).expectNoPort(words, flags)
    const sides = parseSides(words)
    const { names } = sides
    if (names.includes('-') && flags.file === '-')
      throw new Problem('usage', 'stdin cannot hold both the firewalls and the rules', {
        hint: 'Pass a file to --file',
      })
    const invocation = { flags, session }
    const adding = await readAdding(sides, invocation)
    const [target, ...others] = await readTargets({ arguments: names, flags }, firewallResource, session)
    if (!target) return
    const prepare = async (reference: string, account = session.account) => {
      const read = await readShown(reference, invocation, account)
      await tellOfExisting(adding, read, session)
      return { read, edit: adding }
    }
    if (others.length > 0) {
      const { changeSeveral } = await import('./change-several')
      return changeSeveral([target, ...others], prepare, invocation)
    }
    const { read, edit } = await prepare(target.input)
    return changeRules(read, edit, invocation)
  },
}

/** Returns the addresses that a line without a file lacks. */
function lacksPeers({ arguments: words, flags }: Input): string[] {
  const has = ['from', 'to', 'ipv4', 'ipv6', 'file', 'validate'].some((name) => flags[name] !== undefined)
  return has ? [] : [words.some((word) => /^outbound$/i.test(word)) ? '--to' : '--from']
}

async function tellOfExisting({ edit }: Adding, { firewall, shown }: ShownFirewall, { ui }: Session): Promise<void> {
  if (!edit.ifAbsent) return
  const { splitExisting } = await import('../../../firewall/existing-rules')
  const firewallNow = { id: firewall.id, name: nameOf(firewallResource, firewall), now: shown }
  const { notes, warnings } = splitExisting(edit, firewallNow)
  for (const note of notes) await ui.status(note)
  for (const warning of warnings) await ui.warn(warning)
}
