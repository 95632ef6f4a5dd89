/** Root of the command line: the modules of all groups and commands. */
import outline from '#outline'
import { version } from '../package.json'
import type { CommandEntry, Outline, Root } from './engine/command'

type Load = CommandEntry['load']

/**
 * By the headings of help, in its order. The build collects their summaries in `#outline`, so that help need not load
 * them.
 */
const places: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Resources: {
    volumes: async () => (await import('./commands/volumes')).default,
    regions: async () => (await import('./commands/regions')).default,
    firewalls: async () => (await import('./commands/firewalls')).default,
    ips: async () => (await import('./commands/ips')).default,
    ipv6: async () => (await import('./commands/ipv6')).default,
    vlans: async () => (await import('./commands/vlans')).default,
    profile: async () => (await import('./commands/profile')).default,
    tokens: async () => (await import('./commands/tokens')).default,
  },
  'Account as a file': {
    export: async () => (await import('./commands/export')).default,
    plan: async () => (await import('./commands/plan')).default,
    apply: async () => (await import('./commands/apply')).default,
  },
  'Check and repair': {
    overview: async () => (await import('./commands/overview')).default,
    audit: async () => (await import('./commands/audit')).default,
    doctor: async () => (await import('./commands/doctor')).default,
    history: async () => (await import('./commands/history')).default,
  },
  'Settings and tools': {
    auth: async () => (await import('./commands/auth')).default,
    context: async () => (await import('./commands/context')).default,
    api: async () => (await import('./commands/api')).default,
    sandbox: async () => (await import('./commands/sandbox')).default,
    completion: async () => (await import('./commands/completion')).default,
    version: async () => (await import('./commands/version')).default,
    help: async () => (await import('./commands/help')).default,
  },
}

const outlines: Readonly<Record<string, Outline | undefined>> = outline

export const program: Root = {
  name: 'skyctl',
  description: 'Administer a cloud account from the terminal, from scripts and from CI.',
  version,
  epilogue: `
Topics (skyctl help TOPIC): account-file, bulk, environment, exit-codes, filter,
flags, lockout, networks, output, references, rules-file, wait
Without an account: skyctl --context sandbox volumes list
Find a command: skyctl help find reverse dns`,
  entries: Object.entries(places).flatMap(([heading, group]) =>
    Object.entries(group).map(([name, load]) => ({
      ...(outlines[name] ?? { name, summary: '' }),
      heading,
      load,
    })),
  ),
}
