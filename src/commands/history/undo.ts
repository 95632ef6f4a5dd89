import type { IpAddress } from '../../catalogue/ips'
import { accountOf } from '../../engine/account'
import type { Command, Flag, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { showDifference } from '../../engine/difference'
import { printRequests } from '../../engine/dry-run'
import { dryRunFlag, outputFlags } from '../../engine/flags'
import type { Past } from '../../engine/history/lines'
import { hashOfPart, isSamePart, partOf } from '../../engine/history/snapshot'
import { expectOwnAccount } from '../../engine/identity'
import { printAnswer } from '../../engine/print-answers'
import { fieldPaths, viewOf } from '../../engine/printing'
import { named } from '../../engine/resource'
import { Problem } from '../../errors'
import { isForPeople } from '../../output/formats'
import { safe } from '../../output/safe'
import { hasDefaultName } from '../../rules/default-names'
import type { Session } from '../../session'
import { lockoutFlags } from '../firewalls/lockout-flags'
import type { PuttingBack } from './kinds'
import { accountFlag, changeOf, contextNames, type Known, knownOf, noWayBack, objectName } from './records'
import { numberArgument } from './view'

export const undoChange: Command = {
  name: 'undo',
  summary: 'Put back what stood before a change',
  details:
    'Shows what becomes of what stands now, and asks before it sends. An undo is a change, too, and is undone by its own ' +
    'number. Where the object was changed since, it says so and asks on a terminal, and otherwise stops. What has ' +
    'no way back, such as a deletion, says so, and what can be done instead. The token needs what the change itself needed.',
  arguments: [numberArgument],
  flags: [
    { name: 'even-if-changed', description: 'Put it back over what was changed since' },
    ...lockoutFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'See what an undo would send', line: 'skyctl history undo 1 --dry-run' },
    { what: 'Undo it', line: 'skyctl history undo 1' },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const { known, later } = await changeOf(typed, session)
    const reason = known.past.told?.outcome === 'failed' ? 'it failed, so nothing was changed' : noWayBack(known)
    if (reason !== undefined) {
      throw new Problem('refused', `change ${typed} cannot be undone: ${reason[0]?.toLowerCase()}${reason.slice(1)}`)
    }
    await expectAccount(known, session)
    const { back } = known.kind ?? {}
    if (back === 'rules') return undoRules({ ...known, later }, { flags, session })
    if (typeof back === 'object') return putBack({ ...known, later }, back, { flags, session })
  },
}

/** With the changes that were made from here after it. */
type Followed = Known & { later: readonly Past[] }

/** Those of the flags that were given. */
function chosenOf(flags: Flags, chosen: readonly Flag[]): Flags {
  return Object.fromEntries(chosen.flatMap(({ name }) => (flags[name] === undefined ? [] : [[name, flags[name]]])))
}

interface Invocation {
  flags: Flags
  session: Session
}

/**
 * Ids mean something else in another account. Of a change whose user is not known, the context tells; it may be called
 * otherwise by now, and the environment may name none.
 */
async function expectAccount({ past }: Known, session: Session): Promise<void> {
  const flag = (await accountFlag(session))(past)
  const hint = flag === '' ? 'Sign in to that account' : `Run: skyctl history undo ${past.number}${flag}`
  const account = { service: past.service, user: past.user }
  if (await expectOwnAccount({ made: `change ${past.number} was made by`, account, hint }, session)) return
  const { context } = await accountOf(session)
  const other = past.context !== null && context !== null && past.context !== context
  if (!other || !(await contextNames(session)).has(past.context ?? '')) return
  throw new Problem('conflict', `change ${past.number} was made in the context "${past.context}"`, { hint })
}

/** The copies of rules know more than the history. */
async function undoRules(known: Followed, given: Invocation): Promise<void> {
  const { past, holes } = known
  const { changeAt } = await import('../firewalls/rules/copies')
  const firewallId = Number(holes.firewallId)
  const kept = past.copy === undefined ? undefined : await changeAt(firewallId, past.copy, given.session)
  if (!kept) {
    throw new Problem('refused', `change ${past.number} cannot be undone: the rules before it are not kept any more`, {
      hint: `Of each firewall the last changes are. See skyctl firewalls rules undo ${firewallId} --dry-run`,
    })
  }
  const [{ undoPast }, { readStanding }] = await Promise.all([
    import('../firewalls/rules/undo'),
    import('../firewalls/rules/change'),
  ])
  const later = lastBy(known) || undefined
  await undoPast({ ...kept, later }, await readStanding(`id:${firewallId}`, given), given)
}

async function putBack(known: Followed, back: PuttingBack, { flags, session }: Invocation): Promise<void> {
  const { past, kind, holes, id = '' } = known
  const { before = {}, whole } = past
  const { operation } = kind ?? {}
  if (!operation) return
  const view = await viewOf({ fields: fieldPaths(operation), columns: [] }, flags, session)
  const client = await session.client()
  const now = await named(client.call(back.view, { path: holes }), id, { noun: operation.creates ?? nounOf(known) })
  const name = objectName({ ...known, label: typeof now.label === 'string' ? now.label : known.label })
  const standing = partOf(now, { before, whole })
  const scripts = !isForPeople(view.format)
  if (isSamePart(standing, before, whole)) {
    await session.say(`${name} is as it was before change ${past.number}: nothing to do`)
    return scripts ? printAnswer(now, { view, session }) : undefined
  }
  const over = (await changedSince(known, standing, { flags, session })) ? ', over what was changed since' : ''
  await showDifference(differenceOf(standing, before), session)
  const body = operation.path.endsWith('/{address}') ? bodyOfName(now, before) : before
  if (flags['dry-run']) return printRequests([{ operation, path: holes, body }], { flags, session })
  const time = `${past.time.slice(0, 16).replace('T', ' ')} UTC`
  await confirm(`Put back what stood in ${name} before the change of ${time}${over}`, session)
  const { runStep } = await import('../run-step')
  const answer = await runStep(
    { command: back.command, arguments: id === '' ? [] : [id], body, ...(back.flags && { flags: back.flags }) },
    session,
    // Only those of firewalls look at them.
    { looks: true, flags: chosenOf(flags, lockoutFlags) },
  )
  if (scripts) await printAnswer(answer, { view, session })
}

const nounOf = ({ kind }: Known) => (kind?.operation.path.includes('{') ? (kind.kind as 'volume') : 'volume')

/** Whether something else stands than the change wrote; throws `refused` where nobody can decide to go over it. */
async function changedSince(
  known: Followed,
  standing: Readonly<Record<string, unknown>>,
  { flags, session }: Invocation,
): Promise<boolean> {
  const { past } = known
  const after = past.told?.after
  if (after === hashOfPart(standing, past.whole)) return false
  const name = objectName(known)
  const text = after
    ? `${name} was changed since change ${past.number}${lastBy(known)}`
    : `it is not known whether change ${past.number} was done, and ${name} is not as before`
  if (flags['even-if-changed']) return true
  if (session.interactive && !session.yes) {
    await session.aside(`${text[0]?.toUpperCase()}${text.slice(1)}`)
    return true
  }
  throw new Problem('refused', text, {
    hint: 'To put back what stood before all the same, add --even-if-changed',
    errors: Object.entries(standing).map(([field, value]) => ({ field, reason: `Is ${textOf(value)} now` })),
  })
}

/** `, last from here by change 14`, where one of these was about the same object. */
function lastBy({ past, id, kind, later }: Followed): string {
  const same = later.map(knownOf).filter((one) => {
    return one.kind?.kind === kind?.kind && one.id === id && one.past.service === past.service
  })
  const last = same.findLast((one) => one.past.told?.outcome !== 'failed')
  return last ? `, last from here by change ${last.past.number}` : ''
}

/** `changed  label: data-2 -> data`, a line for each field that becomes another. */
function differenceOf(now: Readonly<Record<string, unknown>>, then: Readonly<Record<string, unknown>>): string[] {
  const fields = [...new Set([...Object.keys(now), ...Object.keys(then)])]
  return fields
    .filter((field) => !isSamePart({ field: now[field] ?? null }, { field: then[field] ?? null }, undefined))
    .map((field) => safe(`changed  ${field}: ${textOf(now[field])} -> ${textOf(then[field])}`))
}

/** Keys are long, and what tells one from another is at their end. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return value.length === 0 ? 'none' : value.map((one) => cut(String(one))).join(', ')
}

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 20)}…${text.slice(-20)}` : text)

/** A name that the service gave is not set, but returned to. */
function bodyOfName(address: Record<string, unknown>, before: Readonly<Record<string, unknown>>) {
  const then = { ...address, ...before } as IpAddress
  return { rdns: hasDefaultName(then) ? null : then.rdns }
}
