/** JSON Schema of an account file as people write it, before skyctl normalizes it, including object names. */

import { dialect, type Json, jsonSchemaOf, plain } from '../catalogue/json-schema'
import { protocolsWithPorts } from '../rules/ports'
import { emailAddress } from '../rules/profile'
import { protocolWords } from '../rules/protocols'
import { isRecord } from '../rules/records'
import { everyScope, scopesPattern } from '../rules/scopes'
import { accountFile } from './file-schema'
import { port, ports, portText } from './ports-schema'

/** Creates the schema of an account file (export, plan and apply) for editors. */
export function accountSchema(): Json {
  const schema = jsonSchemaOf(accountFile, { mode: 'input', names: new Map(), reference: String })
  return { $schema: dialect, title: 'The desired state of an account', ...asWritten(plain(schema)) }
}

/** Extends the validated schema to everything that people may write, by key. */
function asWritten(schema: Json): Json {
  const { properties, items, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, written(key, inner)])),
    }),
    ...(isRecord(items) && { items: asWritten(items) }),
    ...(isRecord(additionalProperties) && { additionalProperties: asWritten(additionalProperties) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => (isRecord(one) ? asWritten(one) : one)) }),
  }
}

function written(key: string, inner: unknown): unknown {
  if (!isRecord(inner)) return inner
  const adapted = asWritten(inner)
  return Object.hasOwn(adaptations, key) ? (adaptations[key]?.(adapted) ?? adapted) : adapted
}

/** Accepts words in any case. Editors suggest them in lower case. */
const anyCase = (...words: readonly string[]): Json => ({
  anyOf: [{ enum: words }, { type: 'string', pattern: patternOf(words) }],
})

const patternOf = (words: readonly string[]) => `^(${words.map(letters).join('|')})$`
const letters = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })
const described = ({ description }: Json, schema: Json): Json => ({ description, ...schema })

const address = { type: 'string', pattern: '^([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$' }

const assignable = { type: 'string', pattern: '^([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*/(56|64))$' }

const portless = {
  type: 'string',
  pattern: patternOf(protocolWords.filter((word) => !protocolsWithPorts.includes(word.toUpperCase()))),
}

/** Rules that have one of these keys, and no other key for addresses; a group of rules may take the place of a rule. */
const rules =
  (...keys: readonly string[]) =>
  (list: Json, hasGroups = true): Json => {
    const { properties, ...rule } = isRecord(list.items) ? list.items : {}
    const { use, ...fields } = isRecord(properties) ? properties : {}
    const isOfOthers = (key: string) => ['from', 'to'].includes(key) && !keys.includes(key)
    const ofRule = {
      ...rule,
      properties: Object.fromEntries(Object.entries(fields).filter(([key]) => !isOfOthers(key))),
      if: { type: 'object', properties: { protocol: portless }, required: ['protocol'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { type: 'object', properties: { ports: { type: 'null' } } },
      oneOf: keys.map((key) => ({ type: 'object', properties: { [key]: { not: { type: 'null' } } }, required: [key] })),
    }
    const ofGroup = { type: 'object', properties: { use }, required: ['use'], additionalProperties: false }
    return { ...list, items: hasGroups ? { anyOf: [ofRule, ofGroup] } : ofRule }
  }

const orSingle = (list: Json, single: Json): Json => ({
  ...(typeof list.description === 'string' && { description: list.description }),
  anyOf: [list, single],
})

/** A list of texts. A single one that begins with a dash is rather a list whose dashes lack their blank. */
const texts = (list: Json) => orSingle(list, { type: 'string', pattern: '^[^-]' })

/** Label of a service, or its id as a text: not what looks like another number, or like a folder. */
const label = {
  type: 'string',
  description: 'Label, if a volume or firewall names it',
  pattern:
    '^(label:.+|(id:)?[1-9][0-9]{0,15}|(?!id:|label:)(?![+-]?[0-9.,_]+(e[+-]?[0-9]+)?$|0[xX][0-9a-fA-F]+$|\\.{1,2}$).+)$',
}

/** A list of services by id or label. */
const services = (list: Json) => {
  const items = { anyOf: [list.items, label] }
  return orSingle({ ...list, items }, items)
}

const network4 = '^[0-9]{1,3}(\\.[0-9]{1,3}){3}(/[0-9]{1,2})?$'
const network6 = '^[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(/[0-9]{1,3})?$'
const network = { type: 'string', pattern: `${network4}|${network6}` }

const networkName = '^[A-Za-z][A-Za-z0-9_.-]*$'

const networks =
  (pattern: string) =>
  (list: Json): Json =>
    orNull(
      orSingle({ ...list, items: { ...(isRecord(list.items) && list.items), pattern } }, { type: 'string', pattern }),
    )

const peers = (list: Json): Json => {
  const name = { type: 'string', pattern: `${network4}|${network6}|${networkName}` }
  return orNull(orSingle({ ...list, items: name, minItems: 1 }, name))
}

const namedNetworks = (schema: Json): Json =>
  eachNamed(schema, (list) => orSingle({ ...list, items: network }, network), {
    pattern: networkName,
    not: { pattern: '^[aA][nN][yY][wW][hH][eE][rR][eE]$' },
  })

/** The case of a test in one direction: one of the addresses is required, and the other is none of it. */
const oneWay = (direction: string, required: string, other: string): Json => ({
  type: 'object',
  properties: { direction: anyCase(direction) },
  required: [required],
  not: { type: 'object', required: [other] },
})

const rulesOrGroups = (schema: Json): Json => eachNamed(schema, (list) => rules('addresses', 'from', 'to')(list, false))

const cases = (list: Json): Json => ({
  ...list,
  items: {
    type: 'object',
    properties: {
      name: { type: ['string', 'number', 'boolean'], description: 'Name of the test' },
      direction: anyCase('inbound', 'outbound'),
      protocol: anyCase(...protocolWords),
      port: { anyOf: [port, portText], description: 'Port, with TCP and UDP' },
      from: { ...address, description: 'Source address of inbound traffic' },
      to: { ...address, description: 'Destination address of outbound traffic' },
      service: anyCase('compute', 'balancer'),
      expect: anyCase('accept', 'drop'),
    },
    required: ['protocol', 'expect'],
    additionalProperties: false,
    allOf: [
      {
        if: { type: 'object', properties: { protocol: portless }, required: ['protocol'] },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { not: { type: 'object', required: ['port'] } },
        else: { type: 'object', required: ['port'] },
      },
      { anyOf: [oneWay('inbound', 'from', 'to'), oneWay('outbound', 'to', 'from')] },
    ],
  },
})

/** Objects by name, or null. */
const named =
  (names: Json) =>
  (schema: Json): Json =>
    eachNamed(schema, (entry) => entry, names)

/** Lists or objects by name, or null; each adapted. */
const eachNamed = ({ anyOf = [], ...others }: Json, adapt: (list: Json) => Json, names: Json = {}): Json => ({
  ...others,
  anyOf: (Array.isArray(anyOf) ? anyOf.filter(isRecord) : []).map((one) =>
    isRecord(one.additionalProperties)
      ? { ...one, propertyNames: { type: 'string', ...names }, additionalProperties: adapt(one.additionalProperties) }
      : one,
  ),
})

const atLeastOne = (schema: Json): Json => ({ ...schema, minLength: 1 })
const duration = (schema: Json): Json => ({ ...schema, pattern: '^([0-9]{1,9}(ms|[smhdw]))+$' })
const policy = (schema: Json) => described(schema, anyCase('accept', 'drop'))

const adaptations: Readonly<Record<string, (schema: Json) => Json>> = {
  owner: atLeastOne,
  was: atLeastOne,
  region: atLeastOne,
  volumes: named({ minLength: 1, maxLength: 32 }),
  firewalls: named({
    minLength: 3,
    maxLength: 32,
    pattern: '^(?!.*(--|__|\\.\\.))[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$',
  }),
  sshkeys: named({ maxLength: 64 }),
  ips: named(assignable),
  rdns: named(address),
  tokens: named({ minLength: 1, maxLength: 100 }),
  scopes: (list) => orSingle({ ...list, items: { enum: everyScope } }, { type: 'string', pattern: scopesPattern }),
  longest_life: duration,
  renew_before: duration,
  profile: orNull,
  email: (schema) => ({ ...schema, pattern: emailAddress.source }),
  action: policy,
  inbound_policy: policy,
  outbound_policy: policy,
  protocol: (schema) => described(schema, anyCase(...protocolWords)),
  ports: (schema) => described(schema, ports),
  label: orNull,
  description: orNull,
  inbound: (list) => rules('addresses', 'from')(list),
  outbound: (list) => rules('addresses', 'to')(list),
  networks: namedNetworks,
  rules: rulesOrGroups,
  from: peers,
  to: peers,
  addresses: ({ description, ...schema }) => ({
    description,
    anyOf: [
      {
        ...schema,
        anyOf: ['ipv4', 'ipv6'].map((family) => ({
          type: 'object',
          properties: { [family]: { type: ['array', 'string'] } },
          required: [family],
        })),
      },
      network,
      { type: 'array', items: network, minItems: 1 },
      { type: 'null' },
    ],
  }),
  ipv4: networks(network4),
  ipv6: networks(network6),
  compute_id: (schema) => ({ anyOf: [...(Array.isArray(schema.anyOf) ? schema.anyOf : [schema]), label] }),
  computes: services,
  balancers: services,
  tags: texts,
  authorized_keys: texts,
  ssh_key: (schema) => ({ ...schema, pattern: '^(ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}( .*)?$' }),
  tests: cases,
}
