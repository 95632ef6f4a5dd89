import { fits } from '../../catalogue/check'
import { ips } from '../../catalogue/ips'
import { checkBody, readBody, wrongBody } from '../../engine/body'
import { carryOut } from '../../engine/change'
import type { Command, Input } from '../../engine/command'
import { bodyFlags, dryRunFlag, outputFlags, serviceFlag } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { type RequestBody, situationOf } from '../../engine/situation'
import { readNames } from '../../engine/targets'
import { Problem } from '../../errors'
import { parseAddress } from '../../rules/addresses'
import type { Session } from '../../session'
import { familyFlag, ofFamily } from './family'
import { readAddresses } from './known'
import { sharingLines, wrongSharing } from './sharing'

async function bodyOf(input: Input, session: Session): Promise<RequestBody> {
  const { flags } = input
  const body = await readBody(ips.share.body, flags, session)
  const names = input.arguments.length > 0 ? await readNames(input, session) : undefined
  if (names && flags.none) throw new Problem('usage', 'addresses and --none contradict each other')
  if (flags.none) return { ...body, ips: [] }
  if (names?.length === 0) {
    throw new Problem('usage', 'stdin names no address', { hint: 'To share none from now on, give --none' })
  }
  if (names) return { ...body, ips: names.map((name) => parseAddress(name)?.address ?? name) }
  if (body.ips !== undefined) return body
  throw new Problem('usage', 'no address is named', { hint: 'Name all that shall be shared, or give --none' })
}

/** Refuses what cannot be, and tells what changes. What only the service may understand is left to it. */
async function prepare(sharing: RequestBody, { flags }: Input, session: Session): Promise<void> {
  if (!fits(ips.share.body, sharing)) return
  const listed = await readAddresses(session)
  const errors = flags.validate === false ? [] : await wrongSharing(sharing, listed, session)
  if (errors.length > 0) throw wrongBody(errors, { flags, names: { ips: 'ADDRESS' }, files: ['body'] })
  for (const line of await sharingLines(sharing, listed, session)) await session.say(line)
}

export const shareIps: Command = {
  name: 'share',
  summary: ips.share.summary,
  operations: [ips.share, ips.shareIpv4],
  details:
    'Either addresses or --none are required. The list is complete: what is not in it is no longer shared. Ranges are written without /56 or /64.',
  arguments: [
    {
      name: 'address',
      description: 'Address or range to share; several, or - to read them from stdin',
      many: true,
      optional: true,
    },
  ],
  flags: [
    serviceFlag('computes', { description: 'Compute instance that may use them as well', required: true }),
    { name: 'none', description: 'End all sharing with it' },
    familyFlag,
    ...bodyFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Let a second instance take over an address', line: 'skyctl ips share 192.0.2.31 --compute-id 1002' },
    { what: 'End all sharing', line: 'skyctl ips share --none --compute-id 1001' },
  ],
  async run(input, session) {
    const { flags } = input
    const operation = ofFamily(flags, ips.share, ips.shareIpv4)
    const view = await viewOf({ fields: [], columns: [] }, flags, session)
    const body = await bodyOf(input, session)
    checkBody(operation.body, body, flags, { ips: 'ADDRESS' })
    const ends = Array.isArray(body.ips) && body.ips.length === 0
    await prepare(body, input, session)
    const whom = `compute instance ${body.compute_id}`
    const done = () => (ends ? `Ended all sharing of addresses with ${whom}` : `Set the addresses shared with ${whom}`)
    const question = ends ? `End all sharing of addresses with ${whom}` : undefined
    await carryOut({ operation, body, done }, situationOf(view, flags, session), { question })
  },
}
