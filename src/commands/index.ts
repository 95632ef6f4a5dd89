/** Root of the command line: the modules of all groups and commands. */
import outline from '#outline'
import { version } from '../../package.json'
import type { CommandEntry, Outline, Root } from '../engine/command'

type Load = CommandEntry['load']

/**
 * By the headings of help, in its order. The build collects their summaries in `#outline`, so that help need not load
 * them.
 */
const places: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Resources: {
    volumes: async () => (await import('./volumes')).default,
    regions: async () => (await import('./regions')).default,
    firewalls: async () => (await import('./firewalls')).default,
    ips: async () => (await import('./ips')).default,
    ipv6: async () => (await import('./ipv6')).default,
    vlans: async () => (await import('./vlans')).default,
    profile: async () => (await import('./profile')).default,
    tokens: async () => (await import('./tokens')).default,
  },
  'Account as a file': {
    export: async () => (await import('./account-file/export')).default,
    validate: async () => (await import('./account-file/validate')).default,
    plan: async () => (await import('./account-file/plan')).default,
    apply: async () => (await import('./account-file/apply')).default,
  },
  'Check and repair': {
    overview: async () => (await import('./overview')).default,
    audit: async () => (await import('./audit')).default,
    doctor: async () => (await import('./doctor')).default,
    history: async () => (await import('./history')).default,
  },
  'Settings and tools': {
    auth: async () => (await import('./auth')).default,
    context: async () => (await import('./context')).default,
    api: async () => (await import('./api')).default,
    sandbox: async () => (await import('./sandbox')).default,
    completion: async () => (await import('./completion')).default,
    version: async () => (await import('./version')).default,
    help: async () => (await import('./help')).default,
  },
}

const outlines: Readonly<Record<string, Outline | undefined>> = outline

export const program: Root = {
  name: 'skyctl',
  description: 'Administer a cloud account from the terminal, from scripts and from CI.',
  version,
  epilogue: `Without an account:  skyctl --context sandbox volumes list
Find a command:      skyctl help find reverse dns
Topics (skyctl help TOPIC): account-file, bulk, environment, exit-codes, filter,
flags, lockout, networks, output, references, rules-file, wait`,
  entries: Object.entries(places).flatMap(([heading, group]) =>
    Object.entries(group).map(([name, load]) => ({
      ...(outlines[name] ?? { name, summary: '' }),
      heading,
      load,
    })),
  ),
}
