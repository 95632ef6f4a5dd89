/** Every command of the tree, each with a line that succeeds: for tests that must hold for all of them. */
import { type Command, type Group, isGroup } from '../../src/engine/command'
import { program } from '../../src/program'
import type { Fixtures } from './skyctl'

export interface Sample {
  /** A line that succeeds, after the command's words. */
  line: string
  /** What stands in the world or on disk before it. */
  arrange?(world: Fixtures): void | Promise<void>
  stdin?: string
}

const signIn = async ({ skyctl, sandbox }: Fixtures) => {
  await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
}

const volume = ({ world }: Fixtures) => {
  world.volume({ id: 9001, label: 'sample', region: 'us-east' })
  world.compute({ id: 9002, region: 'us-east' })
}
const attached = ({ world }: Fixtures) => {
  world.compute({ id: 9002, region: 'us-east' })
  world.volume({ id: 9001, label: 'sample', compute_id: 9002 })
}

/** One line that succeeds for every command; a command without one fails the test below. */
export const samples: Record<string, Sample> = {
  api: { line: 'GET /profile' },
  'auth login': { line: '--with-token --context fresh', arrange: signIn, stdin: 'TOKEN' },
  'auth logout': { line: '--context prod', arrange: signIn },
  'auth status': { line: '' },
  'completion bash': { line: '' },
  'completion fish': { line: '' },
  'completion powershell': { line: '' },
  'completion values': { line: 'volumes' },
  'completion zsh': { line: '' },
  'context delete': { line: 'prod --yes', arrange: signIn },
  'context list': { line: '' },
  'context rename': { line: 'prod other', arrange: signIn },
  'context update': { line: 'prod --region us-east', arrange: signIn },
  'context use': { line: 'sandbox' },
  'context view': { line: 'prod', arrange: signIn },
  help: { line: 'exit-codes' },
  'regions availability': { line: '' },
  'regions list': { line: '' },
  'regions view': { line: 'us-east' },
  'sandbox reset': { line: '--yes' },
  'sandbox world': { line: '' },
  'volumes attach': { line: 'sample --compute-id 9002', arrange: volume },
  'volumes clone': { line: 'sample --label copy', arrange: volume },
  'volumes create': { line: '--label fresh --region us-east' },
  'volumes delete': { line: 'sample --yes', arrange: volume },
  'volumes detach': { line: 'sample --yes', arrange: attached },
  'volumes list': { line: '' },
  'volumes resize': { line: 'sample --size 40', arrange: volume },
  'volumes update': { line: 'sample --label other', arrange: volume },
  'volumes view': { line: 'sample', arrange: volume },
  'volumes wait': { line: 'sample', arrange: volume },
}

/** These run until they are stopped, and are tested as processes. */
const servers = new Set(['sandbox start'])

export const commands = await leaves()

async function leaves(): Promise<{ path: string; command: Command }[]> {
  const walk = (entry: Command | Group, path: string): { path: string; command: Command }[] =>
    isGroup(entry)
      ? entry.commands.flatMap((inner) => walk(inner, `${path} ${inner.name}`))
      : [{ path, command: entry }]
  const loaded = await Promise.all(program.entries.map(async ({ name, load }) => walk(await load(), name)))
  return loaded.flat().filter(({ path }) => !servers.has(path))
}
