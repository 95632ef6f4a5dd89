/** Prints the version, and looks for a newer one at the address that the user names. */
import { released, version } from '../../package.json'
import { parseBaseUrl } from '../config/base-url'
import type { Command } from '../engine/command'
import { durationFlag, textFlag } from '../engine/flag-values'
import { outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { runtime } from '../files/process-id'
import { columnsFor, type FieldPath } from '../output/column'
import { printOne, wantsScreen } from '../output/print'
import type { Environment } from '../rules/environment'
import { escapeText } from '../rules/escape'
import { isOlder, parseVersion } from '../rules/versions'

/** Release that the address of releases names. */
interface Release {
  version: string
  released: string | null
  url: string | null
}

/** Variable with the address of the latest release. */
const releasesVariable = 'SKYCTL_RELEASES'

/** Limit of the request; --timeout can lower it. */
const mostMs = 10_000

/** Version for output; `latest` is null unless the command looked for it. */
interface VersionRecord {
  version: string
  released: string
  runtime: string
  platform: string
  latest: Release | null
  /** Whether the latest release is newer than this version. */
  newer: boolean | null
}

const fields: readonly FieldPath<VersionRecord>[] = [
  'version',
  'released',
  'runtime',
  'platform',
  'latest.version',
  'latest.released',
  'latest.url',
  'newer',
]
const columns = columnsFor<VersionRecord>(['version', 'released', 'runtime', 'platform', 'latest.version', 'newer'])

const command: Command = {
  name: 'version',
  summary: 'Show the version, or find a newer one',
  details:
    'skyctl looks for a newer version only if you ask, with --check, and only at the address that you name with --from or ' +
    `${releasesVariable}: a JSON document with a version, such as release.json of a release, or with tag_name, as GitHub's ` +
    'API answers. It sends no token there. --check exits with 0 if a newer version is known, too: scripts read "newer".',
  flags: [
    { name: 'check', description: 'Look for a newer version' },
    { name: 'from', value: 'url', description: `Address of the latest release; default: ${releasesVariable}` },
    ...outputFlags,
  ],
  examples: [
    { what: 'Version, runtime and system, for a bug report', line: 'skyctl version --json' },
    {
      what: 'Look for a newer version',
      line: 'skyctl version --check --from https://downloads.example.com/skyctl/release.json',
    },
  ],
  async run({ flags }, session) {
    const from = textFlag(flags, 'from')
    if (from !== undefined && flags.check !== true) throw new Problem('usage', '--from needs --check')
    const view = await viewOf({ fields, columns, key: 'version' }, flags, session)
    const address = flags.check === true ? requiredAddress(from, session.env) : undefined
    const latest = address && (await latestRelease(address, { session, timeoutMs: durationFlag(flags, 'timeout') }))
    const record = recordOf(latest ?? null)
    if (wantsScreen(view)) return session.ui.stdout.write(screenOf(record))
    await printOne(record, view, session.ui.stdout)
  },
}

export default command

function recordOf(latest: Release | null): VersionRecord {
  const { node, bun, platform, arch } = runtime()
  return {
    version,
    released,
    runtime: bun === undefined ? `Node ${node}` : `bun ${bun}`,
    platform: `${platform} ${arch}`,
    latest,
    newer: latest && isOlder(version, latest.version),
  }
}

function screenOf({ runtime, platform, latest, newer }: VersionRecord): string {
  const own = `skyctl ${version} (${released}), ${runtime}, ${platform}\n`
  if (latest === null) return own
  return `${own}${newer ? describeRelease(latest) : `No newer version is known: the latest is ${latest.version}`}\n`
}

/** Describes a newer version: `Version 0.2.0 (2026-12-24) is available: https://…`. */
function describeRelease({ version, released, url }: Release): string {
  const day = released === null ? '' : ` (${released.slice(0, 10)})`
  return escapeText(`Version ${version}${day} is available${url === null ? '' : `: ${url}`}`)
}

/** Returns the address of a flag or the environment. */
function requiredAddress(from: string | undefined, env: Environment): URL {
  const text = env[releasesVariable]
  if (from !== undefined) return parseAddress(from, '--from')
  if (text) return parseAddress(text, releasesVariable)
  throw new Problem('usage', 'no address of releases is set', {
    hint: `Name it with --from, or in ${releasesVariable}; skyctl has none of its own`,
  })
}

function parseAddress(text: string, name: string): URL {
  return new URL(parseBaseUrl(text, name))
}

/** Reads the latest release at an address. Throws `unavailable`, and `not_the_api` for a document without a version. */
async function latestRelease(
  address: URL,
  { session, timeoutMs = mostMs }: { session: Session; timeoutMs: number | undefined },
): Promise<Release> {
  const { readDocument } = await import('../http/fetch-json')
  const { env, signal } = session
  const options = { env, signal, timeoutMs: Math.min(mostMs, timeoutMs), userAgent: `skyctl/${version}` }
  const field = fieldsOf(await readDocument(address, options))
  const named = parseVersion(field('version') ?? field('tag_name') ?? '')
  if (named === undefined) throw new Problem('not_the_api', `${address.href} names no version of skyctl`)
  return {
    version: named,
    released: field('released') ?? field('published_at') ?? null,
    url: field('url') ?? field('html_url') ?? null,
  }
}

/** Returns a function that looks up texts in a document; others count as missing. */
function fieldsOf(document: unknown): (name: string) => string | undefined {
  return (name) => {
    if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined
    const value: unknown = Reflect.get(document, name)
    return typeof value === 'string' ? value : undefined
  }
}
