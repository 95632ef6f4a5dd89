import { ips } from '../../catalogue/ips'
import type { Context } from '../../context'
import { checkBody, readBody, wrongBody } from '../../engine/body'
import { carryOut } from '../../engine/change'
import type { Command, Flags } from '../../engine/command'
import { bodyFlags, dryRunFlag, outputFlags } from '../../engine/flags'
import { type RequestBody, situationOf } from '../../engine/situation'
import { readNames } from '../../engine/targets'
import { viewOf } from '../../engine/view'
import { Problem } from '../../errors'
import { formatNetwork, networkOf, parseAddress, parseNetwork } from '../../rules/addresses'
import { parseId } from '../../rules/ids'
import { type Assignment, type Move, wrongAssignments } from './assignments'
import { familyFlag, ofFamily } from './family'
import { lookUp, readAddresses } from './known'

function parseAssignment(typed: string): Assignment {
  const [address = '', compute = '', ...rest] = typed.split('=')
  const compute_id = parseId(compute)
  if (compute_id !== undefined && rest.length === 0) return { address: canonical(address), compute_id }
  throw new Problem('usage', `"${typed}" is not an assignment`, { hint: 'Write ADDRESS=COMPUTE_ID: 192.0.2.7=1002' })
}

/** An address or a range as RFC 5952 writes it; what is neither is left to the check. */
function canonical(typed: string): string {
  const range = parseNetwork(typed)
  return range ? formatNetwork(networkOf(range)) : (parseAddress(typed)?.address ?? typed)
}

async function bodyOf(typed: readonly string[], flags: Flags, context: Context): Promise<RequestBody> {
  const body = await readBody(ips.assign.body, flags, context)
  const { region = (await context.defaults()).region } = body
  return {
    ...body,
    ...(region !== undefined && { region }),
    ...(typed.length > 0 && { assignments: typed.map(parseAssignment) }),
  }
}

/** Looks at every address involved, refuses what cannot be, and tells who loses what. */
async function prepare({ region, assignments }: RequestBody, flags: Flags, context: Context): Promise<void> {
  const listed = await readAddresses(context)
  const moves: Move[] = []
  for (const assignment of assignments as Assignment[]) {
    const holding = await lookUp(assignment.address, listed, context)
    moves.push({ ...assignment, holding, from: holding.compute_id })
  }
  const errors = wrongAssignments(moves, String(region), listed)
  if (errors.length > 0 && flags.validate !== false) throw wrongBody(errors)
  for (const move of moves) await context.say(moveLine(move))
}

function moveLine({ address, from, compute_id }: Move): string {
  if (from === compute_id) return `${address} is at compute instance ${compute_id} already`
  return `${address} goes to compute instance ${compute_id}${from === null ? '' : `; compute instance ${from} loses it`}`
}

function doneLine(assignments: readonly Assignment[]): string {
  const [only] = assignments
  return only && assignments.length === 1
    ? `Assigned ${only.address} to compute instance ${only.compute_id}`
    : `Assigned ${assignments.length} addresses`
}

export const assignIps: Command = {
  name: 'assign',
  summary: ips.assign.summary,
  operations: [ips.assign, ips.assignIpv4],
  details:
    'Whoever had an address loses it. Afterwards every instance involved needs a public IPv4 address, and may have one private one and one IPv6 range. Ranges are written with /56 or /64.',
  arguments: [
    {
      name: 'assignment',
      description: 'ADDRESS=COMPUTE_ID; several, or - to read them from stdin',
      many: true,
      optional: true,
    },
  ],
  flags: [
    {
      name: 'region',
      value: 'text',
      description: 'Region of all addresses and instances (required)',
      values: 'regions',
    },
    familyFlag,
    ...bodyFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Swap two addresses', line: 'skyctl ips assign 192.0.2.7=1002 192.0.2.8=1001 --region us-east' }],
  async run(input, context) {
    const { flags } = input
    const operation = ofFamily(flags, ips.assign, ips.assignIpv4)
    const view = await viewOf({ fields: [], columns: [] }, flags, context)
    const typed = input.arguments.length > 0 ? await readNames(input, context) : []
    const body = await bodyOf(typed, flags, context)
    checkBody(operation.body, body, flags)
    await prepare(body, flags, context)
    const done = () => doneLine(body.assignments as Assignment[])
    await carryOut({ operation, body, done }, situationOf(view, flags, context))
  },
}
