import type { RequestBody } from '../../account/change-context'
import type { About } from '../../account/history/history'
import { checkRegion } from '../../account/regions'
import { fits } from '../../catalogue/check'
import { ips } from '../../catalogue/ips'
import { askAbout } from '../../engine/ask-about'
import { checkBody, namedByFlags, readBody, withBodyLines } from '../../engine/body'
import { type CommandContext, printedContext } from '../../engine/change-command-context'
import { bodyFlags, busyTimeoutFlag, dryRunFlag } from '../../engine/change-flags'
import type { Command, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { wrongInput } from '../../engine/field-names'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { runOne } from '../../engine/run-all'
import type { Session } from '../../engine/session'
import { readNames } from '../../engine/targets'
import { Problem } from '../../errors'
import { formatNetwork, networkOf, parseAddress, parseNetwork, tidyAddress } from '../../rules/addresses'
import { once } from '../../rules/once'
import { isRecord } from '../../rules/records'
import { nameList, shellWord } from '../../rules/texts'
import { assignedText } from '../change-messages'
import { lookUp, readAddresses } from './address-lookup'
import { type Assignment, assignHint, type Move, wrongAssignments } from './check-assignments'
import { familyFlag, ofFamily } from './family'

/** `192.0.2.31 to web-2`, and the instance before the address: the pair is one word. */
function pairMeant(words: readonly string[]): string[] | undefined {
  const [first = '', second = '', ...others] = words.filter((word) => word !== 'to')
  if (second === '' || others.length > 0 || `${first}${second}`.includes('=')) return undefined
  if (parseAddress(first)) return [`${first}=${second}`]
  return parseAddress(second) ? [`${second}=${first}`] : undefined
}

/** Parses `192.0.2.7=1002` or `192.0.2.7=web-1`; looks up all labels at once. */
async function parseAssignments(words: readonly string[], session: Session): Promise<Assignment[]> {
  const pairs = words.map((text) => {
    const [, address = '', compute = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (compute !== '') return { address: canonical(address), compute }
    const [pair] = pairMeant(words) ?? []
    const line = pair === undefined ? `${parseAddress(text) ? text : '192.0.2.7'}=1002` : shellWord(pair)
    throw new Problem('usage', `"${text}" is not an assignment`, {
      hint: `Write ADDRESS=INSTANCE: ${pair === undefined ? '' : 'skyctl ips assign '}${line}`,
    })
  })
  const { serviceIds } = await import('../../account/service-lookup')
  const ids = await serviceIds(
    pairs.map(({ compute }) => compute),
    'computes',
    session.account,
  )
  return pairs.map(({ address }, index) => ({ address, compute_id: ids[index] ?? 0 }))
}

/** Normalizes an address or a range (RFC 5952); other text is validated later. */
function canonical(text: string): string {
  const range = parseNetwork(text)
  return range ? formatNetwork(networkOf(range)) : tidyAddress(text)
}

async function bodyOf(words: readonly string[], flags: Flags, session: Session): Promise<RequestBody> {
  const body = await readBody(ips.assign.body, flags, session)
  if (words.length > 0) return { ...body, assignments: await parseAssignments(words, session) }
  return Array.isArray(body.assignments) ? { ...body, assignments: body.assignments.map(withCanonical) } : body
}

const withCanonical = (assignment: unknown) =>
  isRecord(assignment) && typeof assignment.address === 'string'
    ? { ...assignment, address: canonical(assignment.address) }
    : assignment

const names = { assignments: 'ADDRESS=INSTANCE' }

interface Looking {
  flags: Flags
  session: Session
  /** Returns all addresses, which are read once. */
  listed(): ReturnType<typeof readAddresses>
}

/** Adds the region of the first address if none is given, since all must be in one region. */
async function withRegion(body: RequestBody, { flags, session, listed }: Looking): Promise<RequestBody> {
  const whole = { region: 'looked up', ...body }
  await withBodyLines(flags, () => checkBody(ips.assign.body, whole, flags, names))
  const [first] = fits(ips.assign.body, whole) && body.region === undefined ? whole.assignments : []
  if (!first) return body
  const { region } = await lookUp(first.address, await listed(), session)
  return { ...body, region }
}

/**
 * Reads all addresses, and throws for invalid assignments: `conflict`, or `usage` if they contradict each other; and
 * `not_found` for an unknown region. Resolves to the moves; a body that only the service may understand is left to it.
 */
async function prepare(body: RequestBody, { flags, session, ...looking }: Looking): Promise<Move[]> {
  if (!fits(ips.assign.body, body)) return []
  const { region } = body
  const listed = await looking.listed()
  const moves: Move[] = []
  for (const assignment of body.assignments) {
    const holding = await lookUp(assignment.address, listed, session)
    moves.push({ ...assignment, holding, from: holding.compute_id })
  }
  const errors = wrongAssignments(moves, region, listed)
  if (errors.length > 0 && flags.validate !== false) {
    // Every address is in another region than one that does not exist.
    if (!listed.some((one) => one.region === region)) await checkRegion(region, session.account)
    const isContradictory = new Set(moves.map(({ holding }) => holding.address)).size < moves.length
    const code = isContradictory ? 'usage' : 'conflict'
    throw wrongInput(errors, { flags, names, files: ['body'] }, { code, hint: assignHint(moves, listed, errors) })
  }
  return moves
}

/** Only the refusal reports the sharing of an IPv4 address. */
const isShared = (problem: unknown): problem is Problem =>
  problem instanceof Problem && /\bis shared\b/i.test(problem.message)

/** Prints the moves, and asks about those that take an address from an instance. */
async function confirmMoves(moves: readonly Move[], { dry, session }: CommandContext): Promise<void> {
  const isAsked = session.ui.interactive && !session.ui.yes && !dry
  const lost = moves.filter(({ from, compute_id }) => from !== null && from !== compute_id)
  for (const move of moves) if (!isAsked || !lost.includes(move)) await session.ui.status(moveLine(move))
  const [first] = lost
  if (!first || session.ui.yes || dry) return
  const targets = lost.map((move) => ({ ...move, input: `${move.address}=${move.compute_id}` }))
  await askAbout(
    {
      text: ({ names, several }) =>
        several
          ? `Their compute instances will lose these addresses. Assign ${names}`
          : `Compute instance ${first.from} will lose ${first.address}. Assign ${names}`,
      nameOf: async ({ address, from, compute_id }) => `${address} from compute instance ${from} to ${compute_id}`,
      plural: 'addresses',
    },
    { verb: 'assign', targets, prepare: async () => ({}) },
    session,
  )
}

function moveLine({ address, from, compute_id }: Move): string {
  if (from === compute_id)
    return `${address} is at compute instance ${compute_id} already; the request is sent all the same`
  return `${address} goes to compute instance ${compute_id}${from === null ? '' : `; compute instance ${from} loses it`}`
}

/** Returns the instances that had the addresses, for the history. */
const previousOf = (moves: readonly Move[], { region }: RequestBody): About =>
  moves.length === 0
    ? {}
    : { before: { region, assignments: moves.map(({ address, from }) => ({ address, compute_id: from })) } }

export const assignIps: Command = {
  name: 'assign',
  asks: true,
  argumentsMeant: pairMeant,
  summary: ips.assign.summary,
  operations: [ips.assign, ips.assignIpv4],
  details:
    'Assignments are required, as arguments or in --body. The API assigns all of them or none. The previous instance loses ' +
    'the address. Afterwards every instance involved needs a public IPv4 address, and may have one private one and one ' +
    'IPv6 range. Write ranges with /56 or /64.',
  moreDetails:
    'A range gets the SLAAC address of its instance as route target. SLAAC and link-local addresses cannot be assigned. ' +
    'Shared ones move by the older endpoint, after a question, or at once with --family ipv4. A managed instance that loses its SSH address gets the default ' +
    'settings for SSH access.',
  arguments: [
    {
      name: 'assignment',
      description: 'ADDRESS=INSTANCE, an id or label; several or - for stdin',
      many: true,
      optional: true,
    },
  ],
  flags: [
    {
      name: 'region',
      value: 'text',
      description: 'Region of all addresses and instances (default: that of the first address)',
      values: 'regions',
    },
    { ...familyFlag, description: 'ipv4 uses the older endpoint, which moves shared addresses as well' },
    ...bodyFlags,
    busyTimeoutFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Swap two addresses', line: 'skyctl ips assign 192.0.2.11=1002 192.0.2.12=1001' }],
  async run(input, session) {
    const { flags } = input
    const operation = ofFamily(flags, ips.assign, ips.assignIpv4)
    const view = await viewOf({ columns: [] }, flags, session)
    const pairs = input.arguments.length > 0 ? await readNames(input, session) : []
    const looking = { flags, session, listed: once(() => readAddresses(session)) }
    const body = await withRegion(await bodyOf(pairs, flags, session), looking)
    const moves = await prepare(body, looking)
    const context = printedContext(view, flags, session)
    await confirmMoves(moves, context)
    const words = { done: () => assignedText(moves) }
    const send = (endpoint: typeof operation) =>
      runOne({ operation: endpoint, body, about: previousOf(moves, body) }, context, { words })
    try {
      await send(operation)
    } catch (error) {
      const problem = await namedByFlags(error, ips.assign.body, { flags, names })
      if (operation === ips.assignIpv4 || !isShared(problem)) throw problem
      const all = nameList(moves.map(({ address }) => address))
      await session.ui.status(
        moves.length === 1
          ? `${all} is shared, so the older endpoint moves it`
          : `A shared address is among ${all}, so the older endpoint moves them`,
      )
      await confirm(`Assign ${all} by the older endpoint`, session)
      await send(ips.assignIpv4)
    }
  },
}
