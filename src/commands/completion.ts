import bash from '../../completions/skyctl.bash' with { type: 'text' }
import fish from '../../completions/skyctl.fish' with { type: 'text' }
import powershell from '../../completions/skyctl.ps1' with { type: 'text' }
import zsh from '../../completions/skyctl.zsh' with { type: 'text' }
import { ifAllowed } from '../account/label-lookup'
import { type CachedName, cacheListedNames, cacheNames, nameLines } from '../account/name-cache'
import { readRegionNames } from '../account/regions'
import type { Item, NameKind } from '../account/resource'
import { readAll } from '../account/resource'
import { computeOf, readServices, serviceNames } from '../account/service-lookup'
import { targetNames } from '../account/target-names'
import { type Firewall, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import type { Operation } from '../catalogue/operation'
import { apps } from '../catalogue/profile/apps'
import { sshkeys } from '../catalogue/profile/sshkeys'
import { tokens } from '../catalogue/tokens'
import { volumes } from '../catalogue/volumes'
import { shownBaseUrl } from '../config/base-url'
import { SANDBOX } from '../config/contexts'
import type { Command, CommandGroup, Flags } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { durationFlag } from '../engine/flag-values'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { ruleBrief } from '../firewall/rule-text'
import { directions, shapedRules } from '../firewall/rules'
import { isJson } from '../output/formats'
import { escapeJson, escapeText } from '../rules/escape'
import { keysOf } from '../rules/records'

const everyShell: readonly (Pick<Command, 'name' | 'details' | 'examples'> & { script: string })[] = [
  {
    name: 'bash',
    script: bash,
    details: 'Add the first line to ~/.bashrc.',
    examples: [
      { what: 'Load it in every new shell, and in this one', line: 'source <(skyctl completion bash)' },
      {
        what: 'With the package bash-completion, loaded on demand',
        line: 'mkdir -p ~/.local/share/bash-completion/completions && skyctl completion bash > ~/.local/share/bash-completion/completions/skyctl',
      },
    ],
  },
  {
    name: 'zsh',
    script: zsh,
    details: 'Add the first line to ~/.zshrc, below "autoload -U compinit; compinit".',
    examples: [
      { what: 'Load it in every new shell, and in this one', line: 'source <(skyctl completion zsh)' },
      {
        what: 'Load it on demand',
        line: `skyctl completion zsh > "\${fpath[1]}/_skyctl"`,
      },
    ],
  },
  {
    name: 'fish',
    script: fish,
    details: 'Fish loads the file on demand.',
    examples: [
      {
        what: 'For every shell',
        line: 'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish',
      },
      { what: 'For this shell only', line: 'skyctl completion fish | source' },
    ],
  },
  {
    name: 'powershell',
    script: powershell,
    details: 'Add the second line to your profile, too.',
    examples: [
      { what: 'Open the profile', line: 'notepad $PROFILE' },
      {
        what: 'In this shell, and in every new one from the profile',
        line: 'skyctl completion powershell | Out-String | Invoke-Expression',
      },
    ],
  },
]

function scriptCommand({ name, script, ...texts }: (typeof everyShell)[number]): Command {
  return {
    name,
    summary: `Print the completion script for ${name === 'powershell' ? 'PowerShell' : name}`,
    flags: [],
    forShells: true,
    ...texts,
    async run({ flags }, session) {
      await session.ui.stdout.write(asksJson(flags) ? `${JSON.stringify({ shell: name, script })}\n` : script)
    },
  }
}

const readers: Readonly<Record<NameKind, (session: Session) => Promise<CachedName[]>>> = {
  volumes: (session) => readLabels('volumes', volumes.list, session),
  firewalls: async (session) => (await readFirewalls(session)).names,
  rules: async (session) => (await readFirewalls(session)).rules,
  tokens: (session) => readLabels('tokens', tokens.list, session),
  sshkeys: (session) => readLabels('sshkeys', sshkeys.list, session),
  apps: (session) => readLabels('apps', apps.list, session),
  computes: readComputes,
  balancers: readBalancers,
  regions: ({ account }) => readRegionNames(account),
  contexts: readContextNames,
}
const kinds = keysOf(readers)

/** Tab calls this if cached names are missing or too old (src/completion). */
const values: Command = {
  name: 'values',
  summary: 'Print names to complete, and cache them',
  details: 'Prints a name on each line, and a note after a tab.',
  arguments: [{ name: 'kind', description: kinds.join(', '), values: kinds }],
  flags: [],
  hidden: true,
  forShells: true,
  async run({ arguments: [argument = ''], flags }, session) {
    const kind = kinds.find((one) => one === argument)
    if (!kind) {
      throw new Problem('usage', `there are no names of "${argument}"`, { hint: `The kinds are: ${kinds.join(', ')}` })
    }
    const names = await inTime(readers[kind](session), flags, session)
    await session.ui.stdout.write(asksJson(flags) ? escapeJson(`${JSON.stringify(names)}\n`) : nameLines(names))
  },
}

/** Limits the whole work to --timeout, as the user waits for Tab. */
async function inTime<T>(work: Promise<T>, flags: Flags, { clock }: Session): Promise<T> {
  const limit = durationFlag(flags, 'timeout')
  if (limit === undefined) return work
  const over = new AbortController()
  const late = clock.sleep(limit, over.signal).then(() => {
    throw new Problem('unavailable', 'timed out while reading names')
  })
  return Promise.race([work, late]).finally(() => over.abort())
}

/** Reports whether flags ask for JSON. A format from the environment must not affect output for a shell. */
function asksJson({ json, output }: Flags): boolean {
  return json === true || isJson(output)
}

/** Reads the firewalls, whose answers have their rules. */
async function readFirewalls(session: Session): Promise<{ names: CachedName[]; rules: CachedName[] }> {
  const items = await readAll(await session.account.client(), firewalls.list)
  const names = targetNames(items, 'firewalls')
  const rules = items.flatMap(ruleNames)
  await cacheNames('firewalls', names, session.account)
  await cacheNames('rules', rules, session.account)
  return { names, rules }
}

/**
 * Returns `FIREWALL DIRECTION NAME` for each rule, once for the firewall's label and once for its id. A rule has its label,
 * or its number if that is missing or not unique.
 */
function ruleNames({ id, label, rules: sent }: Pick<Firewall, 'id' | 'label' | 'rules'>): CachedName[] {
  const rules = shapedRules(sent)
  if (!rules) return []
  return directions.flatMap((direction) => {
    const numbered = rules[direction].map((rule, index) => ({ id: index + 1, label: rule.label ?? '' }))
    return targetNames(numbered, 'rule').flatMap(({ name, note }, index) => {
      const rule = rules[direction][index]
      const shown = note || (rule && ruleBrief(rule, direction))
      return [label, String(id)].map((firewall) => ({ name: `${firewall} ${direction} ${name}`, note: shown }))
    })
  })
}

async function readLabels(kind: NameKind, list: Operation, session: Session): Promise<CachedName[]> {
  const items: Item[] = await readAll(await session.account.client(), list)
  const names = targetNames(items, kind)
  await cacheNames(kind, names, session.account)
  if (kind === 'volumes')
    await cacheListedNames('computes', serviceNames(items.flatMap(computeOf), 'computes'), session.account)
  return names
}

/**
 * Limit for Tab, which must not wait for the devices of many firewalls; others are cached when a label is looked up.
 */
const mostFirewalls = 50

async function readBalancers({ account }: Session): Promise<CachedName[]> {
  return serviceNames((await readServices('balancers', account, { most: mostFirewalls })).services, 'balancers')
}

/** Reads the instances of volumes and firewalls, and by their ids those that only addresses name, without a label. */
async function readComputes(session: Session): Promise<CachedName[]> {
  const addresses = await ifAllowed(
    readAll(await session.account.client(), ips.list, { query: { skip_ipv6_rdns: true } }),
  )
  const reading = readServices('computes', session.account, { most: mostFirewalls })
  const result = await (addresses ? ifAllowed(reading) : reading)
  const names = serviceNames(result?.services ?? [], 'computes')
  const named = new Set(names.flatMap(({ name, note }) => [name, note]))
  const ids = new Set((addresses ?? []).map(({ compute_id }) => String(compute_id ?? '')))
  const all = [...names, ...[...ids].filter((id) => id !== '' && !named.has(id)).map((name) => ({ name }))]
  await cacheNames('computes', all, session.account)
  return all
}

async function readContextNames(session: Session): Promise<CachedName[]> {
  const { contexts } = await session.config.read()
  const stored = [...contexts].map(([name, { base_url }]) => ({ name, note: escapeText(shownBaseUrl(base_url)) }))
  const names = [...stored, { name: SANDBOX, note: 'The embedded service' }].filter(
    ({ name }) => escapeText(name) === name,
  )
  await cacheNames('contexts', names, session.account)
  return names
}

const group: CommandGroup = {
  name: 'completion',
  summary: 'Completion for bash, zsh, fish and PowerShell',
  commands: eagerCommands(...everyShell.map(scriptCommand), values),
}

export default group
