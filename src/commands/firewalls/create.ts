import * as actions from '../../account/actions/firewalls'
import type { RequestBody } from '../../account/change-context'
import { firewalls } from '../../catalogue/firewalls'
import { changeCommand } from '../../engine/change-command'
import type { CommandStep } from '../../engine/change-definition'
import { ifAbsentFlag, serviceFlag, withDescriptions } from '../../engine/change-flags'
import type { Flags } from '../../engine/command'
import { namingOf } from '../../engine/field-names'
import { listFlag, textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { checkRules } from '../../firewall/check-rules'
import { tidyRules } from '../../firewall/normalize-rules'
import { areRules } from '../../firewall/rules'
import { isRecord } from '../../rules/records'
import { sentences } from '../change-messages'
import { rulesForm } from './file-examples'
import { firewallColumns, labelHelp, labelText } from './resource'
import { policyFlags, policyNames, rulesInput } from './rules-flags'
import { noNotes, printNotes } from './rules-notes'
import { lockoutFlags, lockoutOptions } from './safety-flags'

async function devicesOf(flags: Flags, session: Session): Promise<Record<string, number[]> | undefined> {
  const computes = listFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  if (!computes && balancer === undefined) return undefined
  const { serviceIds } = await import('../../account/service-lookup')
  return {
    ...(computes && { computes: await serviceIds(computes, 'computes', session.account) }),
    ...(balancer !== undefined && { balancers: await serviceIds([balancer], 'balancers', session.account) }),
  }
}

const names = {
  label: '--label',
  tags: '--tag',
  'devices.computes': '--compute-id',
  'devices.balancers': '--balancer-id',
  ...policyNames('rules.'),
}

/** Adds the lists of rules that the body lacks. Rules that are no object stay: validation refuses them. */
function withLists(body: RequestBody): RequestBody {
  const { rules = {} } = body
  return isRecord(rules) ? { ...body, rules: { inbound: [], outbound: [], ...rules } } : body
}

/** Returns the rules from `--file` or `--body`; policies from flags win. */
async function withRules(body: RequestBody, { flags, session }: CommandStep): Promise<RequestBody> {
  const file = textFlag(flags, 'file')
  const inBody = file === undefined && isRecord(body.rules) ? tidyRules(body.rules) : undefined
  const input = (await rulesInput(file, flags, session)) ?? { ...noNotes, value: {} }
  const isOther = file === undefined && !isRecord(body.rules ?? {})
  const rules = isOther ? body.rules : { ...inBody?.value, ...input.value }
  const devices = await devicesOf(flags, session)
  const whole: RequestBody = { ...body, rules, ...(devices && { devices }) }
  const masked = inBody?.masked ?? input.masked
  const placeOf = (field: string | null) => input.placeOf(field?.replace(/^rules\.?/, '') ?? null)
  const naming = namingOf({ flags, names, files: ['file', 'body'] })
  if (flags.validate !== false) checkRules(firewalls.create.body, { value: withLists(whole), placeOf }, { naming })
  const { rules: complete } = withLists(whole)
  if (areRules(complete)) await printNotes({ next: complete }, { ...input, masked, placeOf }, session.account)
  return whole
}

export const createFirewall = changeCommand({
  name: 'create',
  aliases: ['add'],
  action: actions.createFirewall,
  columns: firewallColumns,
  input: {
    flags: (derived) => [
      ...withDescriptions(derived, { label: labelText }),
      {
        name: 'file',
        oldNames: ['rules'],
        value: 'file',
        description: 'JSON or YAML file of the rules, - is stdin',
        values: 'files',
      },
      ...policyFlags.map((flag) => ({
        ...flag,
        description: 'If no rule matches: accept or drop',
        required: true as const,
      })),
      serviceFlag('computes', {
        list: 'commas',
        description: 'Compute instances to protect',
      }),
      serviceFlag('balancers', { description: 'The one balancer to protect' }),
      ...lockoutFlags,
      ifAbsentFlag,
    ],
    options: lockoutOptions,
    complete: withRules,
    defaults: withLists,
  },
  ...sentences['firewalls create'],
  help: {
    moreDetails:
      `The policies are required, by flags or in the file. ${labelHelp} A firewall has at most 25 rules, and a service only ` +
      'one enabled firewall. It filters all interfaces of an instance but those of VLANs, and of a balancer only inbound TCP ' +
      'traffic. An instance must not be in a live migration.',
    form: rulesForm('The file of --file'),
    examples: [
      {
        what: 'Block inbound and allow outbound traffic of two instances',
        line: 'skyctl firewalls create --label batch --inbound-policy drop --outbound-policy accept --compute-id 1006,1008 --yes',
      },
      {
        what: 'With rules and policies from a file',
        line: 'skyctl firewalls create --label web-2 --file rules.yaml',
      },
      {
        what: 'Copy a firewall: the rules and policies of another one',
        line: 'skyctl firewalls rules list web -o yaml | skyctl firewalls create --label web-2 --file -',
      },
    ],
  },
})
