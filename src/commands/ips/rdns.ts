import { type IpAddress, ips } from '../../catalogue/ips'
import { checkBody, readBody } from '../../engine/body'
import { carryOut } from '../../engine/change'
import type { Command, Flags } from '../../engine/command'
import { bodyFlags, dryRunFlag, outputFlags } from '../../engine/flags'
import { fieldPaths, viewOf } from '../../engine/printing'
import { named, notFoundAs } from '../../engine/resource'
import { type RequestBody, situationOf } from '../../engine/situation'
import { Problem } from '../../errors'
import { parseAddress } from '../../rules/addresses'
import { isDomainName } from '../../rules/domain-names'
import type { Session } from '../../session'
import { ipColumns, ipResource } from './resource'

async function bodyOf(name: string | undefined, flags: Flags, session: Session): Promise<RequestBody> {
  if (name !== undefined && flags.reset) throw new Problem('usage', 'a name and --reset contradict each other')
  const body = await readBody(ips.rdns.body, flags, session)
  if (name !== undefined) body.rdns = name
  if (flags.reset) body.rdns = null
  if (body.rdns === undefined) throw new Problem('usage', 'a name is needed', { hint: 'Name it, or give --reset' })
  checkBody(ips.rdns.body, body, flags, { rdns: 'NAME' })
  if (flags.validate !== false) checkName(body.rdns)
  return body
}

function checkName(name: unknown): void {
  if (typeof name !== 'string' || isDomainName(name)) return
  throw new Problem('usage', `"${name}" is not a domain name`, {
    errors: [{ field: 'rdns', reason: 'Domain is not valid.' }],
    hint: 'Write it in full, as in mail.example.net',
  })
}

/** The address, where it has the name already; which name is the default is not known here. */
async function standingName(address: string, { rdns }: RequestBody, session: Session): Promise<IpAddress | undefined> {
  if (rdns === null) return undefined
  const client = await session.client()
  const record = await named(client.call(ips.view, { path: { address } }), address, ipResource)
  return record.rdns === rdns ? record : undefined
}

/** What a refusal most often means. */
function explain(problem: Problem, address: string, { rdns }: RequestBody): Problem {
  if (problem.code !== 'refused' || rdns === null) return notFoundAs(address, ipResource, problem)
  const record = parseAddress(address)?.family === 'ipv6' ? 'AAAA' : 'A'
  return new Problem(problem.code, problem.message, {
    ...problem.details,
    hint: `Forward DNS comes first: ${rdns} needs an ${record} record with ${address}`,
    cause: problem,
  })
}

export const setRdns: Command = {
  name: 'rdns',
  summary: ips.rdns.summary,
  operations: [ips.rdns],
  details: 'Either a name or --reset is required.',
  records: ips.rdns,
  arguments: [
    { name: 'address', description: 'IPv4 or IPv6 address' },
    { name: 'name', description: 'Domain name that the address shall have', optional: true },
  ],
  flags: [{ name: 'reset', description: 'Go back to the default name' }, ...bodyFlags, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Name a mail server', line: 'skyctl ips rdns 192.0.2.31 mail.example.net' },
    { what: 'Go back to the default', line: 'skyctl ips rdns 192.0.2.31 --reset' },
  ],
  async run({ arguments: [typed = '', name], flags }, session) {
    const address = String(ipResource.reference?.parse(typed, ipResource.noun))
    const body = await bodyOf(name, flags, session)
    const view = await viewOf(
      { fields: fieldPaths(ips.rdns), columns: ipColumns, ...(ipResource.key && { key: ipResource.key }) },
      flags,
      session,
    )
    const situation = situationOf(view, flags, session)
    const standing = situation.dry ? undefined : await standingName(address, body, session)
    await carryOut(
      {
        operation: ips.rdns,
        path: { address },
        body,
        explain: (problem) => explain(problem, address, body),
        ...(standing && { idle: true, send: async () => standing }),
        done: ({ rdns }) => `The reverse DNS of ${address} is ${rdns ?? 'unset'}${standing ? ' already' : ''}`,
      },
      situation,
      { question: body.rdns === null ? `Reset the reverse DNS of ${address} to the default` : undefined, rows: true },
    )
  },
}
