import { type IpAddress, ips } from '../../catalogue/ips'
import type { Body } from '../../catalogue/operation'
import type { Context } from '../../context'
import { checkBody, readBody } from '../../engine/body'
import type { Command, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { bodyFlags, dryRunFlag, outputFlags } from '../../engine/flags'
import { planRequest, printRequests } from '../../engine/request'
import { named } from '../../engine/resource'
import { fieldPaths, viewOf } from '../../engine/view'
import { Problem } from '../../errors'
import { printMany, printOne } from '../../output/print'
import { parseAddress } from '../../rules/addresses'
import { isDomainName } from '../../rules/domain-names'
import { ipColumns, ipResource } from './resource'

async function bodyOf(name: string | undefined, flags: Flags, context: Context): Promise<RdnsBody> {
  if (name !== undefined && flags.reset) throw new Problem('usage', 'a name and --reset contradict each other')
  const body = await readBody(ips.rdns.body, flags, context)
  if (name !== undefined) body.rdns = name
  if (flags.reset) body.rdns = null
  if (body.rdns === undefined) throw new Problem('usage', 'a name is needed', { hint: 'Name it, or give --reset' })
  checkBody(ips.rdns.body, body, flags)
  if (flags.validate !== false) checkName(body.rdns)
  return body as RdnsBody
}

type RdnsBody = Body<typeof ips.rdns>

function checkName(name: unknown): void {
  if (typeof name !== 'string' || isDomainName(name)) return
  throw new Problem('usage', `rdns: "${name}" is not a domain name`, {
    errors: [{ field: 'rdns', reason: 'Domain is not valid.' }],
    hint: 'Write it in full, as in mail.example.net',
  })
}

async function setName(address: string, body: RdnsBody, context: Context): Promise<IpAddress> {
  const client = await context.client()
  try {
    return await named(client.call(ips.rdns, { path: { address }, body }), address, ipResource)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'refused' || body.rdns === null) throw error
    const record = parseAddress(address)?.family === 'ipv6' ? 'AAAA' : 'A'
    throw new Problem(error.code, error.message, {
      ...error.details,
      hint: `Forward DNS comes first: ${body.rdns} needs an ${record} record with ${address}`,
      cause: error,
    })
  }
}

export const setRdns: Command = {
  name: 'rdns',
  summary: ips.rdns.summary,
  operations: [ips.rdns],
  arguments: [
    { name: 'address', description: 'IPv4 or IPv6 address' },
    { name: 'name', description: 'Domain name that the address shall have', optional: true },
  ],
  flags: [{ name: 'reset', description: 'Go back to the default name' }, ...bodyFlags, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Name a mail server', line: 'skyctl ips rdns 192.0.2.7 mail.example.net' },
    { what: 'Go back to the default', line: 'skyctl ips rdns 192.0.2.7 --reset' },
  ],
  async run({ arguments: [typed = '', name], flags }, context) {
    const address = String(ipResource.reference?.parse(typed, ipResource.noun))
    const body = await bodyOf(name, flags, context)
    const view = await viewOf(
      { fields: fieldPaths(ips.rdns), columns: ipColumns, ...(ipResource.key && { key: ipResource.key }) },
      flags,
      context,
    )
    if (flags['dry-run']) {
      return printRequests([planRequest(ips.rdns, { path: { address }, body })], { flags, context })
    }
    if (body.rdns === null) await confirm(`Reset the reverse DNS of ${address} to the default`, context)
    const answer = await setName(address, body, context)
    await context.say(`The reverse DNS of ${address} is ${answer.rdns ?? 'unset'}`)
    if (view.format === 'table') await printMany([answer], view, context.stdout)
    else await printOne(answer, view, context.stdout)
  },
}
