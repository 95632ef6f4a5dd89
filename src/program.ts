/** Root of the command line: the modules of all groups and commands. */
import outline from '#outline'
import { version } from '../package.json'
import type { CommandEntry, Outline, Root } from './engine/command'

type Load = CommandEntry['load']

/** In the order of help. The build collects their summaries in `#outline`, so that help need not load them. */
const places = {
  volumes: async () => (await import('./commands/volumes')).default,
  regions: async () => (await import('./commands/regions')).default,
  firewalls: async () => (await import('./commands/firewalls')).default,
  profile: async () => (await import('./commands/profile')).default,
  tokens: async () => (await import('./commands/tokens')).default,
  ips: async () => (await import('./commands/ips')).default,
  ipv6: async () => (await import('./commands/ipv6')).default,
  vlans: async () => (await import('./commands/vlans')).default,
  export: async () => (await import('./commands/export')).default,
  plan: async () => (await import('./commands/plan')).default,
  apply: async () => (await import('./commands/apply')).default,
  audit: async () => (await import('./commands/audit')).default,
  history: async () => (await import('./commands/history')).default,
  auth: async () => (await import('./commands/auth')).default,
  context: async () => (await import('./commands/context')).default,
  api: async () => (await import('./commands/api')).default,
  sandbox: async () => (await import('./commands/sandbox')).default,
  completion: async () => (await import('./commands/completion')).default,
  doctor: async () => (await import('./commands/doctor')).default,
  help: async () => (await import('./commands/help')).default,
} as const satisfies Record<string, Load>

const outlines: Readonly<Record<string, Outline | undefined>> = outline

export const program: Root = {
  name: 'skyctl',
  description: 'Administer a cloud account from the terminal, from scripts and from CI.',
  version,
  epilogue: `
Try it without an account:
  skyctl --context sandbox volumes list

Find a command by what it does:
  skyctl help find reverse dns

More help:
  skyctl help exit-codes | environment | output | references`,
  entries: Object.entries<Load>(places).map(([name, load]) => ({
    ...(outlines[name] ?? { name, summary: '' }),
    load,
  })),
}
