import { released, version } from '../../package.json'
import type { Command } from '../engine/command'
import { durationFlag, textFlag } from '../engine/flag-values'
import { outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import { Problem } from '../errors'
import { runtime } from '../files/process-id'
import { columnsFor, type FieldPath } from '../output/column'
import { wantsScreen } from '../output/output-kind'
import { printOne } from '../output/print'
import { isOlder } from '../rules/versions'
import { describeRelease, latestRelease, type Release, releasesVariable, requiredAddress } from './releases'

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
