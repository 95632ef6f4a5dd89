import { ChangedMeanwhile, differenceDetails, readRules, type ShownFirewall } from '../../../account/actions/rules'
import { type Id, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import { firewallRules } from '../../../catalogue/firewall-rules'
import { sourcePositions } from '../../../data/yaml'
import type { Command, CommandInput } from '../../../engine/command'
import { showDifference } from '../../../engine/confirm'
import { editDraft, type Note, Objection } from '../../../engine/edit'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { completeRules } from '../../../firewall/check-rules'
import { diffRules } from '../../../firewall/diff'
import { type Conflict, mergeRules } from '../../../firewall/merge'
import { changeLine, ruleHead, rulePeers } from '../../../firewall/rule-text'
import { sendable } from '../../../firewall/rules'
import { yamlText } from '../../../output/documents'
import { escapeText } from '../../../rules/escape'
import { shellWord } from '../../../rules/texts'
import { rulesForm } from '../file-examples'
import { parseRules, type RulesInput } from '../rules-file'
import { noNotes } from '../rules-notes'
import { changeFlags, changeRules, readShown } from './change'
import { firewallArgument } from './direction-arguments'

const hints = `# The first rule that matches decides; without one, the policy. A rule:
#
#   - action: ACCEPT            # or DROP
#     protocol: TCP             # or UDP, ICMP, IPENCAP
#     ports: 22, 80-90          # TCP and UDP only (default: all ports)
#     addresses:
#       ipv4: [203.0.113.0/24]  # 0.0.0.0/0 is everybody
#       ipv6: ["2001:db8::/32"] # ::/0 is everybody
#     label: ssh                # 3 to 32 characters
#     description: Office       # up to 100 characters
#
# At most 25 rules, and 255 addresses in each. skyctl shows the
# difference before it sends anything; an unchanged text sends nothing. Lines
# that begin with #! describe problems; skyctl removes them again.
`

async function draftOf({ firewall, shown }: ShownFirewall): Promise<string> {
  const { inbound_policy, inbound, outbound_policy, outbound } = shown
  const text = await yamlText({ inbound_policy, inbound, outbound_policy, outbound })
  return `# Rules of ${escapeText(nameOf(firewallResource, firewall))}\n#\n${hints}\n${text}`
}

export const editRules: Command = {
  name: 'edit',
  asks: true,
  summary: 'Change firewall rules in your editor',
  operations: [firewallRules.update],
  details:
    'Opens the rules as YAML in VISUAL or EDITOR, checks the text, shows the difference and asks. If the text has problems, the editor opens again, with each problem above its line. On a terminal, skyctl merges changes that somebody else made meanwhile; if both changed the same rule, you decide. If anything fails, skyctl keeps the text.',
  form: rulesForm('Text in the editor'),
  arguments: firewallArgument,
  flags: changeFlags,
  examples: [{ what: 'Use another editor', line: 'EDITOR=nano skyctl firewalls rules edit web' }],
  async run({ arguments: [reference = ''], flags }, session) {
    const invocation = { flags, session }
    const read = await readShown(reference, invocation)
    const { id } = read.firewall
    await editDraft(
      {
        name: `firewall-${id}.yaml`,
        text: await draftOf(read),
        dry: flags['dry-run'] === true,
        instead: `skyctl firewalls rules list ${id} -o yaml > FILE, then skyctl firewalls rules update ${id} --file FILE`,
        goOn: (path) => goOn(id, path),
        read: (text) => readEdited(text, read, invocation),
        use: replaceEdited(read, invocation),
      },
      session,
    )
  },
}

/** Returns the next steps for a kept text. They never overwrite the changes of others. */
const goOn = (id: Id, path: string) =>
  `Compare it with the current rules: skyctl firewalls rules diff ${id} --file ${shellWord(path)}; then run skyctl firewalls rules edit ${id} again, and copy what you need`

async function readEdited(text: string, { shown }: ShownFirewall, { flags, session }: CommandInput): Promise<Edited> {
  const input = await parseRules(text, 'the text', { flags, session })
  return { text, input, next: completeRules(input, shown, { validate: flags.validate !== false }) }
}

export interface Edited {
  text: string
  input: RulesInput
  /** Complete, validated rules. */
  next: FirewallRules
}

/**
 * Returns a function that replaces the rules by edited ones. On a terminal, it merges changes that were made in the
 * meantime. In case of conflicts it throws an `Objection`; after the user has seen that, the text wins.
 */
function replaceEdited(read: ShownFirewall, invocation: CommandInput): (edited: Edited) => Promise<void> {
  const { firewall, shown } = read
  const { session } = invocation
  let objected: FirewallRules | undefined
  return async (edited) => {
    let now = session.ui.interactive ? await readRules(firewall, session.account) : shown
    for (;;) {
      try {
        if (diffRules(shown, now).length === 0) return await replaceBy(edited.input, read, invocation)
        const { rules, conflicts } = mergeRules({ base: shown, mine: edited.next, theirs: now })
        const isDecided = objected !== undefined && diffRules(objected, now).length === 0
        objected = now
        if (conflicts.length > 0 && !isDecided) throw await objectionTo(conflicts, edited, { ...read, now })
        await printTheirs({ ...read, now }, session)
        const merged = { ...noNotes, value: sendable(rules), isMerged: true as const }
        return await replaceBy(merged, { firewall, shown: now }, invocation)
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || !session.ui.interactive) throw error
        now = error.now
      }
    }
  }
}

function replaceBy(input: RulesInput & { isMerged?: true }, read: ShownFirewall, invocation: CommandInput) {
  const name = nameOf(firewallResource, read.firewall)
  const both = input.isMerged ? ', with the changes of both' : ''
  const question = `The changes above will apply at once. Replace the rules of ${name}${both}`
  return changeRules(read, { edit: { kind: 'replace', input }, question, notes: input }, invocation)
}

/** A firewall whose rules others have changed. */
interface ChangedFirewall extends ShownFirewall {
  now: FirewallRules
}

async function printTheirs({ firewall, shown, now }: ChangedFirewall, session: Session): Promise<void> {
  const changes = diffRules(shown, now).map(changeLine)
  const title = `Somebody else changed ${nameOf(firewallResource, firewall)} meanwhile:`
  await showDifference([...changes, 'Your changes on top:'], session, title)
}

async function objectionTo(
  conflicts: readonly Conflict[],
  { text, next }: Edited,
  { firewall, shown, now }: ChangedFirewall,
): Promise<Objection> {
  const name = nameOf(firewallResource, firewall)
  const problem = new Problem(
    'changed',
    `somebody else changed the same parts of ${name} meanwhile; nothing was sent`,
    differenceDetails(diffRules(shown, now)),
  )
  const { lineOf } = await sourcePositions(text)
  const notes = conflicts.flatMap((conflict) => notesOn(conflict, next, lineOf))
  return new Objection(problem, [...explanation.map((line) => ({ text: line })), ...notes])
}

const explanation = [
  'Somebody else changed the same rules meanwhile: see the lines like this one below.',
  'This text wins for these rules; skyctl keeps all other changes of theirs.',
  'Remove these lines to continue; an unchanged text sends nothing.',
]

type LineOf = (field: string) => number | undefined

/** Returns notes with both sides of a conflict, above the rule in the text. */
function notesOn(conflict: Conflict, next: FirewallRules, lineOf: LineOf): Note[] {
  const { direction } = conflict
  if (conflict.kind === 'policy') {
    const { base, theirs } = conflict
    return [{ line: lineOf(`${direction}_policy`), text: `The policy was ${base}; theirs is ${theirs}` }]
  }
  const words = (rule: FirewallRules['inbound'][number] | null) =>
    rule ? `${ruleHead(rule)} ${rulePeers(rule, direction)}` : 'removed'
  const lineOfRule = (rule: FirewallRules['inbound'][number] | null) => {
    const index = rule ? next[direction].indexOf(rule) : -1
    // A removed rule is noted above the first one.
    return lineOf(`${direction}[${Math.max(index, 0)}]`) ?? lineOf(direction)
  }
  if (conflict.kind === 'order') {
    const rules = conflict.rules.map((rule) => `"${words(rule)}"`).join(', ')
    const own = conflict.rules.find((rule) => next[direction].includes(rule)) ?? null
    return [{ line: lineOfRule(own), text: `The order of these rules is ambiguous: ${rules}` }]
  }
  const line = lineOfRule(conflict.mine)
  return [
    { line, text: `${direction} ${conflict.number} was: ${words(conflict.base)}` },
    { line, text: `Theirs: ${words(conflict.theirs)}` },
    { line, text: `Yours:  ${words(conflict.mine)}` },
  ]
}
