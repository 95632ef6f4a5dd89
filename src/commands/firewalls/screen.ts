/** Formats a firewall for people: one layout for wide and narrow terminals, and for pipes, without wrapping there. */

import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Firewall, FirewallDevice } from '../../catalogue/firewalls'
import { type NetworkNamer, ruleHead, rulePeers } from '../../firewall/rule-text'
import { type Direction, directions } from '../../firewall/rules'
import type { View } from '../../output/print'
import { styles } from '../../output/style'
import { showTime } from '../../output/times'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'

interface Layout extends Pick<View, 'width' | 'color' | 'now'> {
  nameOf?: NetworkNamer
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** A firewall from an answer; optional fields may be missing. */
interface Facts extends Nullable<Pick<Firewall, 'label' | 'status' | 'tags' | 'created' | 'updated'>> {
  id: number
  /** Undefined if the answer lacks a part of them. */
  rules: FirewallRules | undefined
  /** Drawing of who gets in. */
  access: string
}

/** Returns the status, who gets in, the rules in order, and the services. */
export async function firewallScreen(
  firewall: Facts,
  devices: readonly FirewallDevice[],
  layout: Layout,
): Promise<string> {
  const { bold } = await styles(layout.color)
  const lines = [
    bold(`Firewall ${firewall.label === null ? '' : `"${escapeText(firewall.label)}" `}(${firewall.id})`),
    ...factsOf(firewall, layout),
    '',
    firewall.access,
    firewall.rules ? await rulesScreen(firewall.rules, layout) : `${bold('Rules')}: -\n`,
    bold('Protects'),
    ...devices.map(deviceLine),
    ...(devices.length === 0 ? ['  nothing yet'] : []),
  ]
  return `${lines.join('\n')}\n`
}

function factsOf({ status, tags, created, updated }: Facts, { width, now }: Layout): string[] {
  const time = (value: string | null) =>
    value === null ? '-' : (showTime(value, { width, now, single: true }) ?? value)
  const force = status === 'disabled' ? 'disabled: its rules have no effect' : (status ?? '-')
  const facts = [
    `status   ${force}`,
    ...(tags && tags.length > 0 ? [`tags     ${tags.join(', ')}`] : []),
    `created  ${time(created)}`,
    `updated  ${time(updated)}`,
  ]
  return facts.map((fact) => wrap(`  ${escapeText(fact)}`, width, ' '.repeat(11)))
}

function deviceLine({ id, entity }: FirewallDevice): string {
  const label = entity.label ? ` "${entity.label}"` : ''
  return escapeText(`  ${entity.type} ${entity.id}${label} (device ${id})`)
}

/** Returns both directions with their policies and numbered rules. */
export async function rulesScreen(rules: FirewallRules, layout: Layout): Promise<string> {
  const sides = await Promise.all(directions.map((direction) => sideScreen(rules, direction, layout)))
  return sides.join('\n')
}

async function sideScreen(
  rules: FirewallRules,
  direction: Direction,
  { width, color, nameOf }: Layout,
): Promise<string> {
  const { bold, green, red } = await styles(color)
  const toned = (text: string, action: string) =>
    text.replace(action, action === 'ACCEPT' ? green(action) : red(action))
  const policy = escapeText(rules[`${direction}_policy`])
  const lines = rules[direction].flatMap((rule, index) => {
    const number = String(index + 1).padStart(4)
    const hang = ' '.repeat(6)
    return [
      toned(wrap(`${number}  ${ruleHead(rule)}`, width, hang), escapeText(rule.action)),
      ...(rule.description ? [wrap(hang + escapeText(rule.description), width, hang)] : []),
      wrap(hang + rulePeers(rule, direction, nameOf), width, hang),
    ]
  })
  const title = `${bold(direction === 'inbound' ? 'Inbound' : 'Outbound')}: ${toned(policy, policy)} if no rule matches`
  return `${[title, ...lines].join('\n')}\n`
}
