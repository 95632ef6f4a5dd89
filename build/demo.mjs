/**
 * Shows the life of a volume in the sandbox: `npm run demo`. Every command runs as a process, and the demo fails if one
 * does not end as expected. Its files are in a folder that is removed afterwards. `npm run demo --
 * executable/linux-x64/skyctl` shows an executable instead of the sources.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import build from './build.mjs'

const [executable] = process.argv.slice(2)
const [program, ...before] = executable
  ? [resolve(executable)]
  : [process.execPath, join(import.meta.dirname, '../bin/skyctl.js')]

/** Commands with a description, the expected output, and the exit code if it is not 0. */
const steps = [
  {
    say: 'List the regions in the US.',
    type: 'regions list --filter country=us --columns id,label,status',
    shows: /us-east/,
  },
  {
    say: 'Create a volume; --wait returns when it is active.',
    type: 'volumes create --label demo-data --size 20 --region us-east --tag demo --wait',
    shows: /demo-data +active +20/,
  },
  {
    say: 'Attach it to a compute instance in the same region.',
    type: 'volumes attach demo-data --compute-id 1001 --wait',
    shows: /demo-data .*web-1/,
  },
  { say: 'Increase its size.', type: 'volumes resize demo-data --size 40 --wait', shows: /demo-data +active +40/ },
  { say: 'List all volumes as a table …', type: 'volumes list --sort -size', shows: /demo-data +active +40/ },
  { say: '… and show one as JSON for scripts.', type: 'volumes view demo-data --json', shows: /"size": 40/ },
  {
    say: 'Decrease its size: this is impossible, so skyctl sends nothing.',
    type: 'volumes resize demo-data --size 10',
    shows: /cannot shrink/,
    exit: 6,
  },
  { say: 'Mistype its label.', type: 'volumes view dmo-data', shows: /not found\. Did you mean "demo-data"/, exit: 5 },
  { say: 'Detach it; --yes skips the question.', type: 'volumes detach demo-data --yes --wait' },
  { say: 'Delete it.', type: 'volumes delete demo-data --yes', shows: /Deleted volume "demo-data"/ },
  {
    say: 'List the volumes with its tag: there are none.',
    type: 'volumes list --filter tags=demo --json',
    shows: /^\[\]\n$/,
  },
]

const folder = await mkdtemp(join(tmpdir(), 'skyctl-demo-'))
try {
  if (!executable) await build()
  await demonstrate({
    ...plainEnvironment(),
    SKYCTL_CONTEXT: 'sandbox',
    SKYCTL_STATE_DIR: folder,
    SKYCTL_CONFIG_DIR: folder,
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function demonstrate(env) {
  console.log('$ export SKYCTL_CONTEXT=sandbox')
  for (const { say, type, shows = /(?:)/, exit = 0 } of steps) {
    console.log(`\n# ${say}\n$ skyctl ${type}`)
    const result = await run(type.split(' '), env)
    if (exit !== 0) console.log(`(exit code ${result.exit})`)
    if (result.exit !== exit || !shows.test(result.output)) {
      console.error(
        `\nThe demo expected exit code ${exit} and an output like ${shows}; the exit code was ${result.exit}.`,
      )
      process.exitCode = 1
      return
    }
  }
  console.log('\nContinue on your own:\n  bin/skyctl.js --context sandbox volumes list')
}

/** Returns the environment without the account of the user. */
function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SKYCTL_')))
}

async function run(words, env) {
  const child = spawn(program, [...before, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text)
      output += text
    })
  }
  const [exit] = await once(child, 'close')
  return { exit, output }
}
