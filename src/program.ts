/** The root of the command line: a summary for every group and command, and where it is. */
import { version } from '../package.json'
import type { Root } from './engine/parser'

export const program: Root = {
  name: 'skyctl',
  description: 'Administer a cloud account from the terminal, from scripts and from CI.',
  version,
  epilogue: `
Try it without an account:
  skyctl --context sandbox volumes list

Find a command by what it does:
  skyctl help find reverse dns

Read on:
  skyctl help exit-codes | environment | output | references`,
  entries: [
    {
      name: 'volumes',
      aliases: ['volume'],
      summary: 'Block storage volumes',
      load: async () => (await import('./commands/volumes')).default,
    },
    {
      name: 'regions',
      aliases: ['region'],
      summary: 'Regions and what is available in them',
      load: async () => (await import('./commands/regions')).default,
    },
    {
      name: 'firewalls',
      aliases: ['firewall'],
      summary: 'Firewalls, their rules and what they protect',
      load: async () => (await import('./commands/firewalls')).default,
    },
    {
      name: 'profile',
      summary: 'Who you are, and how you sign in',
      load: async () => (await import('./commands/profile')).default,
    },
    {
      name: 'tokens',
      aliases: ['token'],
      summary: 'Personal access tokens',
      load: async () => (await import('./commands/tokens')).default,
    },
    {
      name: 'ips',
      aliases: ['ip'],
      summary: 'Addresses: allocate, assign, share, reverse DNS',
      load: async () => (await import('./commands/ips')).default,
    },
    {
      name: 'ipv6',
      summary: 'IPv6 pools and ranges',
      load: async () => (await import('./commands/ipv6')).default,
    },
    {
      name: 'vlans',
      aliases: ['vlan'],
      summary: 'Virtual local area networks',
      load: async () => (await import('./commands/vlans')).default,
    },
    {
      name: 'auth',
      summary: 'Sign in and out, and see who you are',
      load: async () => (await import('./commands/auth')).default,
    },
    {
      name: 'context',
      aliases: ['contexts'],
      summary: 'Accounts that you have signed in to, and their defaults',
      load: async () => (await import('./commands/context')).default,
    },
    {
      name: 'api',
      summary: 'Send any request to the service',
      load: async () => (await import('./commands/api')).default,
    },
    {
      name: 'sandbox',
      summary: 'The embedded service: try things, test scripts',
      load: async () => (await import('./commands/sandbox')).default,
    },
    {
      name: 'completion',
      summary: 'Completion for bash, zsh, fish and PowerShell',
      load: async () => (await import('./commands/completion')).default,
    },
    {
      name: 'help',
      summary: 'Help on a command or a topic, and finding a command',
      load: async () => (await import('./commands/help')).default,
    },
  ],
}
