import { warnOfStatus } from '../../account/lockout/guard-firewall-changes'
import { nameOf } from '../../account/resource'
import { findFirewall, firewallResource, invalidRulesProblem, readDevices } from '../../account/resources/firewall'
import { type FirewallRules, newFirewallRules, ruleActions } from '../../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import type { Command, Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { targetArguments } from '../../engine/target-arguments'
import { Problem } from '../../errors'
import { checkRules, comparable } from '../../firewall/check-rules'
import { shapedRules } from '../../firewall/rules'
import { caseKeys, services, type TestCase } from '../../firewall/test-cases'
import { judgeAt, judgedServices, type Packet, placesOfServices, type Verdict } from '../../firewall/verdict'
import { columnsFor } from '../../output/column'
import { printMany, printOne, wantsScreen } from '../../output/print'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { protocolFlag } from './rule-flags'
import { readRulesFile } from './rules-file'
import { printNotes } from './rules-notes'
import { caseOfFlags, readCases, withAddress } from './test-cases'

/** Rules to test, and the services at which they are tested. */
interface Subject {
  rules: FirewallRules
  /** Kinds of its services; rules without a firewall are judged at a compute instance. */
  services: readonly Packet['service'][]
}

async function ofFirewall(reference: string, session: Session): Promise<Subject> {
  const firewall = await findFirewall(reference, session.account, { record: true })
  if (firewall.record?.status === 'disabled') {
    await session.ui.warn(`${nameOf(firewallResource, firewall)} is disabled and drops nothing`)
  }
  await warnOfStatus(firewall, session.account)
  const devices = await readDevices(firewall.id, session.account)
  const rules = shapedRules(firewall.record?.rules)
  if (!rules) throw invalidRulesProblem(firewall)
  return { rules, services: judgedServices(devices) }
}

async function ofFile(source: string, flags: Flags, session: Session): Promise<Subject> {
  const input = await readRulesFile(source, flags, session)
  checkRules(newFirewallRules, input)
  const rules = comparable({ ...input, value: { inbound: [], outbound: [], ...input.value } })
  await printNotes({ next: rules }, input, session.account)
  return { rules, services: ['compute'] }
}

function subjectOf(reference: string | undefined, flags: Flags, session: Session): Promise<Subject> {
  const source = textFlag(flags, 'file')
  if (reference !== undefined && source === undefined) return ofFirewall(reference, session)
  if (reference === undefined && source !== undefined) return ofFile(source, flags, session)
  const message = reference === undefined ? 'rules are required' : 'a firewall and --file cannot be combined'
  throw new Problem('usage', message, { hint: 'Pass either a firewall or --file FILE' })
}

interface Judged extends Verdict, Pick<Packet, 'direction' | 'protocol' | 'port' | 'service'> {
  name?: string
  from?: string
  to?: string
  expect?: string
  /** True if the verdict is the expected one. */
  holds?: boolean
}

/** A verdict, and its sentence for people. */
interface Answer {
  judged: Judged
  text: string
}

/** Judges a case. A firewall with instances and a balancer has two answers if they differ. */
function answersTo(one: TestCase, { rules, services: all }: Subject): Answer[] {
  const { name, direction, protocol, port, address, service, expect } = one
  const verdicts = judgeAt(rules, { direction, protocol, port, address }, service ? [service] : all)
  return verdicts.map((verdict) => {
    const judged = {
      ...(name !== undefined && { name }),
      direction,
      protocol,
      ...(port !== undefined && { port }),
      ...(direction === 'inbound' ? { from: address.address } : { to: address.address }),
      ...verdict,
      ...(expect !== undefined && { expect, holds: expect === verdict.action }),
    }
    return { judged, text: sentence(judged, verdicts.length > 1) }
  })
}

const reasons = {
  rule: ({ number, rule }: Judged) => `rule ${number}${rule?.label ? ` "${rule.label}"` : ''}`,
  policy: ({ direction }: Judged) => `the ${direction} policy`,
  exempt: () => 'a balancer filters inbound TCP only',
  unknown: ({ number, reason }: Judged) => `rule ${number} cannot be judged: ${reason}`,
}

function sentence(judged: Judged, hasPlace: boolean): string {
  const { direction, protocol, port, from, to, service, action, by, expect, holds } = judged
  const packet = `${direction} ${protocol}${port === undefined ? '' : ` ${port}`}`
  const peer = direction === 'inbound' ? `from ${from}` : `to ${to}`
  const place = hasPlace ? ` ${placesOfServices[service]}` : ''
  const expected = holds === false ? `, but ${expect} is expected` : ''
  const name = judged.name === undefined ? '' : `${judged.name}: `
  return escapeText(`${name}${action ?? 'UNKNOWN'} ${packet} ${peer}${place}: ${reasons[by](judged)}${expected}`)
}

/** Returns the only verdict; throws `usage` if there are two, because a record fits only one. */
function onlyOne([first, second]: readonly Answer[]): Judged | undefined {
  if (!first || !second) return first?.judged
  throw new Problem('usage', `the firewall has two verdicts. ${first.text}. ${second.text}`, {
    hint: 'Choose one: add --service compute or --service balancer',
  })
}

const columns = columnsFor<Judged>([
  'name',
  'direction',
  'protocol',
  'port',
  'from',
  'to',
  'service',
  'action',
  'by',
  'number',
  'expect',
  'holds',
])

export const testFirewall: Command = {
  name: 'test',
  summary: 'Simulate a packet and show the deciding rule',
  paged: true,
  operations: [firewalls.view, firewallDevices.list],
  details:
    'Either a firewall or --file is required, and either --cases or a packet: --protocol, --port with tcp and udp, and ' +
    '--from or --to. The first rule that matches decides; without one, the policy.',
  moreDetails: 'Format of a file of cases: skyctl help rules-file.',
  arguments: targetArguments(firewallResource, 'one').map((argument) => ({ ...argument, optional: true, rare: true })),
  flags: [
    {
      name: 'file',
      value: 'file',
      description: 'Test the rules of this file, - is stdin',
      values: 'files',
    },
    {
      name: 'cases',
      value: 'file',
      description: 'Test all cases of a JSON or YAML file, - is stdin',
      values: 'files',
    },
    {
      name: 'direction',
      value: 'direction',
      description: 'inbound, or outbound (default with --to)',
      values: ['inbound', 'outbound'],
    },
    { ...protocolFlag, description: `${protocolFlag.description} (default with --port: tcp)` },
    { name: 'port', value: 'n', description: 'Destination port, with tcp and udp' },
    { name: 'from', value: 'address', description: 'Source address of an inbound packet' },
    { name: 'to', value: 'address', description: 'Destination address of an outbound packet' },
    {
      name: 'service',
      value: 'kind',
      description: 'compute, or balancer, where only inbound TCP is filtered',
      values: services,
    },
    {
      name: 'expect',
      value: 'action',
      description: 'Exit with 13 if the verdict is another',
      values: ruleActions,
    },
    ...outputFlags,
  ],
  examples: [
    {
      what: 'Is SSH from this address allowed?',
      line: 'skyctl firewalls test web --port 22 --from 198.51.100.7',
    },
    {
      what: 'Test rules in CI, before they are sent',
      line: 'skyctl firewalls test --file rules.yaml --cases cases.yaml',
    },
  ],
  async run({ arguments: [reference], flags }, session) {
    const view = await viewOf({ columns, key: 'action' }, flags, session)
    const source = textFlag(flags, 'cases')
    const surplus = caseKeys.find((key) => flags[key] !== undefined)
    if (source !== undefined && surplus !== undefined) {
      throw new Problem('usage', `--cases and --${surplus} contradict each other: each case sets it`)
    }
    // Rules of a file have no view.
    const firewall = reference ?? 'FIREWALL'
    const cases =
      source === undefined
        ? [caseOfFlags(await withAddress({ flags, session, firewall }), firewall)]
        : await readCases(source, session)
    const subject = await subjectOf(reference, flags, session)
    const answers = cases.flatMap((one) => answersTo(one, subject))
    const judged = answers.map((one) => one.judged)
    if (wantsScreen(view)) {
      const lines = answers.map(({ text }) => wrap(text, view.width, '  '))
      await session.ui.stdout.write(`${lines.join('\n')}\n`)
    } else if (source === undefined) await printOne(onlyOne(answers), view, session.ui.stdout)
    else await printMany(judged, view, session.ui.stdout)
    const wrong = judged.filter(({ holds }) => holds === false)
    if (wrong.length > 0)
      throw new Problem('mismatch', `${wrong.length} of ${judged.length} verdicts are not as expected`)
  },
}
