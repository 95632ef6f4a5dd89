/** Formats plans for people. */

import type { NetworkChange } from '../../account-file/changes-by-network'
import type { Plan, PlannedObject } from '../../account-file/plan'
import type { UnmetExpectation } from '../../account-file/unmet-expectations'
import type { View } from '../../output/print'
import { styles } from '../../output/style'
import { ellipses } from '../../output/width'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { groupBy } from '../../rules/records'
import { counted, joinNames } from '../../rules/texts'
import {
  billedSize,
  type Gravity,
  gravities,
  gravitiesOf,
  groupsOf,
  inReadingOrder,
  type PlanBlock,
  type PlanLine,
  rangesOf,
} from './plan-groups'

type Titled = Pick<PlannedObject, 'noun' | 'name' | 'id'>

/** Returns `volume "pgdata" (3001)`, or the noun for a kind that an account has once. */
export function titleOf({ noun, name, id }: Titled): string {
  if (name === '') return noun
  return `${noun} ${quoted({ noun, name })}${id === undefined || id === name ? '' : ` (${id})`}`
}

const quoted = ({ noun, name }: Pick<Titled, 'noun' | 'name'>) => (noun === 'address' ? name : `"${escapeText(name)}"`)

const countOf = (objects: readonly Titled[]) =>
  [...groupBy(objects, ({ noun }) => noun)].map(([noun, some]) => counted(some.length, noun))

/** Returns `60 volumes "data-1" ... "data-60"`: the names of several objects of a kind, which range over all of them. */
export function titleOfAll(objects: readonly Titled[], dots: string): string {
  const [first] = objects
  if (!first || objects.length === 1) return first ? titleOf(first) : ''
  const names = rangesOf(objects).map((range) => {
    const [from, to] = [range[0], range.at(-1)].map((one) => (one ? quoted(one) : ''))
    return from === to ? from : `${from} ${dots} ${to}`
  })
  return `${countOf(objects)} ${names.join(', ')}`
}

export const marks = { create: '+', update: '~', delete: '-' } as const

export interface PlanForm {
  full?: boolean | undefined
  /** True to list all traffic of a consequence. */
  verbose?: boolean | undefined
  ascii?: boolean | undefined
}

export const dotsOf = ({ ascii }: PlanForm) => ellipses[ascii ? 'ascii' : 'unicode']

/** Longest plan, in lines, that is printed without a summary at its top: it fits a terminal, with summary and question. */
const mostLines = 22

/** Formats a plan for people: a block for each change, the gravest first, and the summary. */
export async function screenOf(plan: Plan, view: Pick<View, 'width' | 'color'> & PlanForm): Promise<string> {
  const { width } = view
  const { bold, green, yellow, red, dim } = await styles(view.color)
  const tones = { create: green, update: yellow, delete: red }
  const dots = dotsOf(view)
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const shared = (plan.networks ?? []).map((one) => yellow(bold(line(networkLine(one), 0))))
  const blockText = (block: PlanBlock) => {
    const { action } = block.objects[0]
    return [
      tones[action](bold(line(`${marks[action]} ${titleOfAll(block.objects, dots)}`, 0))),
      ...linesOfBlock(block).map(({ text, warns }) => (warns ? yellow : String)(line(text, 4))),
    ].join('\n')
  }
  const blocks = groupsOf(plan, view).flatMap((group) => group.blocks.map(blockText))
  const notes = notesOf(plan, view).map((text) => dim(line(`  ${text}`, 0)))
  const unmet = (plan.unmet ?? []).flatMap((one) => [
    yellow(bold(line(`! ${titleOf(one)}`, 0))),
    ...unmetLines(one).map((text) => line(text, 4)),
  ])
  const body = [...shared, ...blocks, ...unmet, ...notes]
  if (body.join('\n').split('\n').length <= mostLines) return [...body, line(summaryOf(plan), 0), ''].join('\n')
  const first = (texts: readonly string[]) => texts.map((text) => line(text, 2))
  const before = [bold(line(summaryOf(plan), 0)), ...first(consequenceLines(plan, dots)), '']
  return [...before, ...body, '', ...first(consequenceCounts(plan)), line(summaryOf(plan), 0), ''].join('\n')
}

/** Returns the lines below a title; for several objects they say that they hold for each. */
export function linesOfBlock({ objects, lines }: PlanBlock): readonly PlanLine[] {
  return objects.length === 1 ? lines : lines.map(({ text, ...line }) => ({ ...line, text: `${text} (each)` }))
}

/** Returns the lines about objects that stay unchanged. */
export function notesOf({ notes, left }: Plan, form: PlanForm): string[] {
  const groups = [...groupBy(inReadingOrder(left), ({ kind }) => kind).values()]
  const staying = groups.flatMap((group) => (group.length > 3 && !form.full ? [group] : group.map((one) => [one])))
  return [
    ...notes.map((one) => `${titleOf(one)}: ${escapeText(one.text)}`),
    ...staying.map((some) =>
      some.length === 1
        ? `${titleOfAll(some, '')} is in no file and stays; --prune deletes it`
        : `${titleOfAll(some, dotsOf(form))} are in no file and stay; --prune deletes them`,
    ),
  ]
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

/** Objects by consequence, the gravest first; an object may have several. */
function consequencesIn({ objects }: Plan): { gravity: Gravity; objects: PlannedObject[] }[] {
  const all = new Map(objects.map((object) => [object, gravitiesOf(object)]))
  return gravities.flatMap((gravity) => {
    const some = inReadingOrder(objects).filter((object) => all.get(object)?.includes(gravity))
    return some.length === 0 ? [] : [{ gravity, objects: some }]
  })
}

/** Returns `60 volumes, 2400 GiB`. */
export function countText(objects: readonly PlannedObject[], gravity: Gravity): string {
  const size = gravity === 'starts billing' ? objects.reduce((sum, object) => sum + billedSize(object), 0) : 0
  return [...countOf(objects), ...(size > 0 ? [`${size} GiB`] : [])].join(', ')
}

/** Maximum number of names of a kind in a line of the summary. */
const mostNamed = 12

/** Returns `destroys: 2 volumes "old", "older"`: of what starts billing, counts and sizes are enough. */
function consequenceLines(plan: Plan, dots: string): string[] {
  return consequencesIn(plan).map(({ gravity, objects }) => {
    if (gravity === 'starts billing') return `${gravity}: ${countText(objects, gravity)}`
    const kinds = [...groupBy(objects, ({ kind }) => kind).values()].map((some) => {
      const ranges = rangesOf(some)
      if (ranges.length <= mostNamed) return titleOfAll(some, dots)
      const named = ranges.slice(0, mostNamed).flat()
      return `${titleOfAll(named, dots)} and ${some.length - named.length} more`
    })
    return `${gravity}: ${kinds.join(', ')}`
  })
}

/** Returns `destroys 2 volumes; starts billing 60 volumes, 2400 GiB`, for the lines before a question. */
const consequenceCounts = (plan: Plan) => {
  const counts = consequencesIn(plan).map(({ gravity, objects }) => `${gravity}: ${countText(objects, gravity)}`)
  return counts.length === 0 ? [] : [counts.join('; ')]
}

const consequenceTexts: Readonly<Record<Gravity, (count: number) => string>> = {
  destroys: (count) => `destroys ${counted(count, 'resource')}`,
  unprotects: () => 'unprotects services',
  'cuts off': () => 'cuts off traffic',
  opens: () => 'opens ports',
  'starts billing': () => 'starts billing',
  other: () => 'makes other changes',
}

/** Returns the consequences for a question: `This plan destroys 2 resources and starts billing`. */
export function consequenceSentence(plan: Plan): string {
  const grave = consequencesIn(plan).filter(({ gravity }) => gravity !== 'other')
  if (grave.length === 0) return 'The changes of this plan apply at once'
  return `This plan ${joinNames(
    grave.map(({ gravity, objects }) => consequenceTexts[gravity](objects.length)),
    'and',
  )}`
}

/** Returns `network "office": +203.0.113.0/24 -198.51.100.0/24 (2 firewalls, 5 rules)`. */
export function networkLine({ name, added, removed, firewalls, changes }: NetworkChange): string {
  const addresses = [...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)].join(' ')
  return escapeText(`network "${name}": ${addresses} (${counted(firewalls, 'firewall')}, ${changes.size} rules)`)
}
