/** Output of each command with --json on success. */
import * as v from 'valibot'
import { firewallRules } from '../../catalogue/firewall-rules'
import { firewalls } from '../../catalogue/firewalls'
import { history } from '../../catalogue/history'
import { ips } from '../../catalogue/ips'
import { fieldPaths, type Operation, partsOf, type Schema } from '../../catalogue/operation'
import { preferences } from '../../catalogue/profile/preferences'
import { profile } from '../../catalogue/profile/profile'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import { tokens } from '../../catalogue/tokens'
import { volumes } from '../../catalogue/volumes'
import { helpDocument } from '../../commands/help/document-schema'
import type { Command } from '../../engine/command'
import type { CommandNode } from '../../engine/command-nodes'
import * as account from './account-file-outputs'
import { overview } from './overview'
import * as own from './own'
import { outcome } from './stderr'

const success = v.looseObject({ ok: v.pipe(v.literal(true), v.description('It was done')) })

/** Output for targets: for one, the service's answer; for several, an array with one record each. */
const forTargets = (one: Schema, object?: Schema): Schema =>
  v.union([one, v.array(object ? v.union([v.intersect([object, success]), outcome]) : outcome)])
const orNothing = (object: Schema): Schema => v.union([object, own.nothing])

/** Answer of a two-factor confirmation; without the scratch code if that is written to a file. */
const scratch = v.union([tfa.confirm.returns, v.looseObject({ scratch: v.optional(v.never()) })])

/** Changed record or rules; with --apply, the result of each change. */
const undone = v.union([
  account.undone,
  ...[firewallRules.list, firewalls.view, volumes.view, profile.view, tokens.view, sshkeys.view].map(
    ({ returns }) => returns,
  ),
  ...[ips.view, preferences.view].map(({ returns }) => returns),
])

/** Outputs that cannot be derived from operations, by command. */
const special: Readonly<Record<string, Schema>> = {
  api: v.unknown(),
  apply: account.applied,
  audit: own.auditReport,
  'auth login': own.context,
  'auth logout': own.context,
  'auth status': own.authStatus,
  'completion bash': own.script,
  'completion fish': own.script,
  'completion powershell': own.script,
  'completion zsh': own.script,
  'context delete': own.nothing,
  'context list': v.array(own.context),
  'context rename': own.context,
  'context update': own.context,
  'context use': own.context,
  'context view': own.context,
  doctor: own.diagnoses,
  export: account.exported,
  'firewalls close': v.array(own.opening),
  'firewalls open': own.opening,
  'firewalls rules diff': v.array(v.variant('kind', [...own.rulesChange.options, own.effect])),
  'firewalls rules list': v.union([firewallRules.list.returns, own.rulesHash]),
  'firewalls test': v.union([own.verdict, v.array(own.verdict)]),
  'history clear': own.nothing,
  'history undo': undone,
  'history view': history.view.returns,
  help: v.union([helpDocument, own.topic, v.array(own.find)]),
  overview,
  plan: account.plan,
  'profile phone setup': own.nothing,
  'profile security-questions answer': own.answered,
  'profile security-questions list': v.array(own.question),
  'profile tfa confirm': scratch,
  'profile tfa setup': scratch,
  'sandbox outbox': v.array(own.message),
  'sandbox reset': own.nothing,
  'sandbox start': own.server,
  'sandbox world': own.world,
  'tokens list': v.array(own.listedToken),
  'tokens rotate': tokens.create.returns,
  validate: own.validation,
  version: own.version,
  'volumes wait': forTargets(orNothing(volumes.view.returns), volumes.view.returns),
}

/** Returns a command's output schema; throws if it is neither derived nor listed above. */
export function outputOf({ words, command }: CommandNode): Schema {
  const path = words.join(' ')
  const output = special[path] ?? (command && derived(command))
  if (!output) throw new Error(`the output of "${path}" has no schema`)
  return output
}

function derived({ operations, records, flags }: Command): Schema | undefined {
  const has = (name: string) => flags.some((flag) => flag.name === name)
  if (has('filter')) return records && v.array(recordOf(records))
  const main = operations?.[0]
  if (!main) return undefined
  const bare = fieldPaths(main).length === 0
  const object = !bare ? main.returns : has('wait') ? records?.returns : undefined
  const one = bare && object ? orNothing(object) : main.returns
  return has('concurrency') ? forTargets(one, object) : one
}

/** Returns the item schema of an array answer, or else the answer itself. */
function recordOf({ returns }: Operation): Schema {
  return partsOf(returns).item ?? returns
}
