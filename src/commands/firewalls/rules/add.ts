import type { CurrentRules } from '../../../account/actions/rules'
import type { BodyInput } from '../../../account/journal-lines'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRule, firewallRule, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, Flags } from '../../../engine/command'
import { namingOf } from '../../../engine/field-names'
import { textFlag } from '../../../engine/flag-values'
import { concurrencyFlag } from '../../../engine/flags'
import type { Session } from '../../../engine/session'
import { readTargets } from '../../../engine/targets'
import { Problem } from '../../../errors'
import { checkRules, expectRoom } from '../../../firewall/check-rules'
import { type Direction, hasAllRules, meaningOf } from '../../../firewall/rules'
import { tidyRule } from '../../../firewall/tidy'
import { isRecord } from '../../../rules/records'
import { shellWord } from '../../../rules/texts'
import { familyFlags, readPeers } from '../peer-flags'
import { noFile } from '../rules-file'
import type { Split } from './add-absent'
import { changeFlags, changeRules, ifMatchFlag, type Proposal, type RulesInvocation, readCurrentRules } from './change'
import { expectPlace, manySidesArguments, numberFlag, parseSides } from './rule-arguments'

const names = {
  ...Object.fromEntries(['action', 'protocol', 'label', 'description'].map((key) => [key, `--${key}`])),
  ports: '--port',
}

type Rule = Record<string, unknown>

/** Reads rules from `--file`, one, a list or one per line, with flags on top; validates them unless flags skip it. */
async function readRules(
  { direction, names: [firewall = ''] }: ReturnType<typeof parseSides>,
  { flags, session }: RulesInvocation,
): Promise<{ rules: Rule[]; masked: string[] }> {
  const { checkEach } = await import('../../../engine/ndjson-input')
  const peers = await readPeers(direction, { flags, session })
  const naming = namingOf({ flags, names: { ...names, ...peers.names }, files: ['file'] })
  const masked: string[] = []
  const { withPeerAddresses } = await import('../network-names')
  const rules = await checkEach(await readInputs(firewall, flags, session), async ({ body }) => {
    const sides = await withPeerAddresses({ [direction]: [body] }, () => '', { flags, session })
    const [resolved] = [sides[direction]].flat()
    const rule = tidyRule(withFlags(isRecord(resolved) ? resolved : body, peers.addresses, flags), masked)
    if (flags.validate !== false) checkRules(firewallRule, { value: rule }, { naming })
    return rule
  })
  return { rules, masked }
}

async function readInputs(firewall: string, flags: Flags, session: Session): Promise<BodyInput[]> {
  const source = textFlag(flags, 'file')
  if (source === undefined) return [{ body: {} }]
  const { nameOfSource, readText } = await import('../../../engine/body-file')
  const { parseBodies, parseList } = await import('../../../engine/ndjson-input')
  const [text, name] = [await readText(source, session), nameOfSource(source)]
  const inputs = (await parseList(text, name)) ?? (await parseBodies(text, name))
  if (inputs.some(({ body }) => hasAllRules(body))) {
    throw new Problem('usage', `${name} has all rules of a firewall, not rules to add`, {
      hint: `Replace them: skyctl firewalls rules update ${shellWord(firewall)} --file ${shellWord(source)}`,
    })
  }
  return inputs
}

function withFlags(body: Rule, peers: Rule, flags: Flags): Rule {
  const texts = {
    action: textFlag(flags, 'action')?.toUpperCase(),
    protocol: textFlag(flags, 'protocol')?.toUpperCase(),
    ports: textFlag(flags, 'port'),
    label: textFlag(flags, 'label'),
    description: textFlag(flags, 'description'),
  }
  const fields = Object.entries(texts).filter(([, value]) => value !== undefined)
  const replacesAll = flags.from !== undefined || flags.to !== undefined
  const addresses = { ...(!replacesAll && isRecord(body.addresses) && body.addresses), ...peers }
  const some = Object.keys(addresses).length > 0 || flags.validate === false
  return { ...body, ...Object.fromEntries(fields), ...(some && { addresses }) }
}

export const addRule: Command = {
  name: 'add',
  asks: true,
  summary: 'Add a rule to a firewall',
  operations: [firewallRules.update],
  details:
    'Inbound rules need --from, outbound ones --to: addresses, networks or their names, of both families, or anywhere. Without --at the rule becomes the last one. The first rule that matches decides, so its position matters. Keeps changes that others make meanwhile.',
  moreDetails:
    'A file may have a list of rules, or NDJSON with a rule on each line: skyctl adds all of them, in this order, in one request. Names of networks: skyctl help networks.',
  arguments: manySidesArguments,
  flags: [
    { name: 'action', value: 'action', description: 'accept or drop', required: true, values: ['accept', 'drop'] },
    {
      name: 'protocol',
      value: 'protocol',
      description: 'tcp, udp, icmp or ipencap',
      required: true,
      values: ['tcp', 'udp', 'icmp', 'ipencap'],
    },
    {
      name: 'port',
      oldNames: ['ports'],
      value: 'ports',
      description: 'Ports such as 22,80-90, for tcp and udp (default: all)',
    },
    { name: 'from', value: 'networks', list: 'commas', description: 'Sources of inbound traffic' },
    { name: 'to', value: 'networks', list: 'commas', description: 'Destinations of outbound traffic' },
    ...familyFlags,
    { name: 'label', value: 'text', description: 'Name of the rule, 3 to 32 characters' },
    { name: 'description', value: 'text', description: 'Description of the rule, up to 100 characters' },
    { name: 'at', value: 'n', description: 'Position of the new rule, counted from 1' },
    {
      name: 'file',
      aliases: ['body'],
      value: 'file',
      description: 'JSON or YAML of a rule or a list, or NDJSON, - is stdin; flags override it',
      values: 'files',
    },
    { name: 'if-absent', description: 'Skip rules that already exist, whatever their label' },
    ifMatchFlag,
    concurrencyFlag,
    ...changeFlags,
  ],
  examples: [
    {
      what: 'Allow SSH from an office, before all other rules',
      line: 'skyctl firewalls rules add web inbound --action accept --protocol tcp --port 22 --from 203.0.113.0/24 --label ssh --at 1',
    },
    {
      what: 'Add missing rules to several firewalls',
      line: 'skyctl firewalls rules add web-strict spare inbound --file rules.ndjson --if-absent',
    },
    { what: 'Add a rule for each line of a file', line: 'skyctl firewalls rules add web inbound --file rules.ndjson' },
  ],
  async run({ arguments: words, flags }, session) {
    const sides = parseSides(words)
    const { direction, names } = sides
    if (names.includes('-') && flags.file === '-')
      throw new Problem('usage', 'stdin cannot hold both the firewalls and the rules', {
        hint: 'Pass a file to --file',
      })
    const invocation = { flags, session }
    const adding = { ...(await readRules(sides, invocation)), direction, at: numberFlag(flags) }
    const [target, ...others] = await readTargets({ arguments: names, flags }, firewallResource, session)
    if (!target) return
    if (others.length === 0) {
      const { current, proposal } = await prepareAdding(target.input, adding, invocation)
      return changeRules(current, proposal, invocation)
    }
    const { changeSeveral } = await import('./change-several')
    await changeSeveral([target, ...others], (reference) => prepareAdding(reference, adding, invocation), invocation)
  },
}

interface Adding {
  rules: Rule[]
  masked: string[]
  direction: Direction
  /** Counted from 1; undefined to append them. */
  at: number | undefined
}

async function prepareAdding(
  reference: string,
  { rules: added, masked, direction, at }: Adding,
  invocation: RulesInvocation,
): Promise<{ current: CurrentRules; proposal: Proposal }> {
  const absent = invocation.flags['if-absent'] ? await import('./add-absent') : undefined
  const current = await readCurrentRules(reference, invocation)
  const propose: Proposal['propose'] = async (now, shown, name) => {
    const rules: unknown[] = [...now[direction]]
    const index = at === undefined ? undefined : at - 1
    const split = absent?.splitExisting(added, index, {
      current: now,
      direction,
      name,
      firewallId: current.firewall.id,
    })
    // Changes by others are reported separately.
    if (split && now === shown) await tellSplit(split, invocation.session)
    if (at !== undefined) {
      expectPlace(at, rules.length + 1)
      expectSame(now[direction].slice(0, at - 1), shown[direction].slice(0, at - 1), { at, name })
    }
    rules.splice(index ?? rules.length, 0, ...(split?.missing ?? added))
    const proposed = { ...noFile, value: { [direction]: rules }, masked }
    if (invocation.flags.validate !== false) expectRoom(proposed, now, name)
    return proposed
  }
  return { current, proposal: { commutes: true, propose } }
}

async function tellSplit({ notes, warnings }: Split, session: Session): Promise<void> {
  for (const note of notes) await session.ui.status(note)
  for (const warning of warnings) await session.ui.warn(warning)
}

/** Throws `refused` if the rules before an index have changed: it no longer means the same place. */
function expectSame(
  now: readonly FirewallRule[],
  shown: readonly FirewallRule[],
  { at, name }: { at: number; name: string },
): void {
  if (now.map(meaningOf).join() === shown.map(meaningOf).join()) return
  throw new Problem('changed', `the rules of ${name} before position ${at} were changed meanwhile`, {
    hint: 'Check the current rules, and run the command again',
  })
}
