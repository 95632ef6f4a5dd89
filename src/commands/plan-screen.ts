/** Formats plans for people. */
import type { RulesChange } from '../firewall/diff'
import { changeLine } from '../firewall/rule-text'
import type { View } from '../output/print'
import { styles } from '../output/style'
import { wrap } from '../output/wrap'
import { escapeText } from '../rules/escape'
import type { UnmetExpectation } from '../state/expectations'
import type { NetworkChange } from '../state/network-changes'
import type { Plan, PlannedObject } from '../state/plan'
import type { PlanStep } from '../state/plan-step'

/** Returns `volume "pgdata" (3001)`, or the noun for a kind that an account has once. */
export function titleOf({ noun, name, id }: Pick<PlannedObject, 'noun' | 'name' | 'id'>): string {
  if (name === '') return noun
  const quoted = noun === 'address' ? name : `"${escapeText(name)}"`
  return `${noun} ${quoted}${id === undefined || id === name ? '' : ` (${id})`}`
}

const marks = { create: '+', update: '~', delete: '-' } as const

/** Formats a plan for people: a block for each object to change, and warnings below. */
export async function screenOf(plan: Plan, { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const { bold, green, yellow, red, dim } = await styles(color)
  const tones = { create: green, update: yellow, delete: red }
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const networks = plan.networks ?? []
  const shared = networks.map((one) => yellow(bold(line(networkLine(one), 0))))
  const blocks = plan.objects.map((object) => {
    const { action } = object
    const head = `${marks[action]} ${titleOf(object)}`
    return [
      tones[action](bold(line(head, 0))),
      ...object.steps.flatMap((step) => [
        ...linesOf(step, networks).map((text) => line(text, 4)),
        ...(step.consequences ?? []).map(({ kind, text }) => yellow(line(`${kind}: ${escapeText(text)}`, 4))),
      ]),
    ].join('\n')
  })
  const left = plan.left.map((one) => dim(line(`  ${titleOf(one)} is in no file and stays; --prune deletes it`, 0)))
  const notes = plan.notes.map((one) => dim(line(`  ${titleOf(one)}: ${escapeText(one.text)}`, 0)))
  const unmet = (plan.unmet ?? []).flatMap((one) => [
    yellow(bold(line(`! ${titleOf(one)}`, 0))),
    ...unmetLines(one).map((text) => line(text, 4)),
  ])
  return [...shared, ...blocks, ...unmet, ...notes, ...left, summaryOf(plan), ''].join('\n')
}

/** Returns a line for each difference, and one with the command that ends them. */
export const unmetLines = ({ noun, differences, fix }: UnmetExpectation): string[] => [
  ...differences.map(({ field, place, text }) => escapeText(`${field === null ? '' : `${field}: `}${text} (${place})`)),
  ...(fix === undefined ? [] : [escapeText(`apply changes no ${noun}s. ${fix}`)]),
]

/** Returns `2 to create, 1 to update; 12 unchanged, 3 not selected; 1 not as expected`. */
export function summaryOf({ objects, same, unselected = 0, unmet = [] }: Summarized): string {
  const different = unmetCount({ unmet })
  const others = unselected === 0 ? '' : `, ${unselected} not selected`
  const beside = `${others}${different === 0 ? '' : `; ${different} not as expected`}`
  if (objects.length === 0) return `No changes${same + unselected === 0 ? '' : `; ${same} unchanged`}${beside}`
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length
    return count === 0 ? [] : [`${count} to ${action}`]
  })
  return `${counts.join(', ')}; ${same} unchanged${beside}`
}

type Summarized = Pick<Plan, 'objects' | 'same' | 'unselected' | 'unmet'>

/** Returns the number of entries that were compared, and that the account does not meet. */
export const unmetCount = ({ unmet = [] }: Pick<Plan, 'unmet'>) => unmet.filter(({ isChecked }) => isChecked).length

export function linesOf({ changes, rules = [] }: PlanStep, networks: readonly NetworkChange[] = []): string[] {
  const isShared = (change: RulesChange) => networks.some(({ changes }) => changes.has(change))
  return [
    ...changes.map((text) => escapeText(text)),
    ...rules.filter((change) => !isShared(change)).map(changeLine),
    ...networks.flatMap((network) => sharedLine(network, rules)),
  ]
}

/** Returns `network "office": +203.0.113.0/24 -198.51.100.0/24 (2 firewalls, 5 rules)`. */
function networkLine({ name, added, removed, firewalls, changes }: NetworkChange): string {
  const addresses = [...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)].join(' ')
  const count = firewalls === 1 ? '1 firewall' : `${firewalls} firewalls`
  return escapeText(`network "${name}": ${addresses} (${count}, ${changes.size} rules)`)
}

/** Returns the line that stands for all rules of a step that change with a network. */
function sharedLine({ name, changes }: NetworkChange, rules: readonly RulesChange[]): string[] {
  const places = rules.flatMap((change) =>
    change.kind === 'changed' && changes.has(change) ? [`${change.direction} ${change.to}`] : [],
  )
  return places.length === 0 ? [] : [`${'changed'.padEnd(8)} ${places.join(', ')}: with network "${name}"`]
}
