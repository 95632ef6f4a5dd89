/**
 * The life of a volume on the embedded sandbox: `npm run demo`. Every command is really run, as a process of its own,
 * and ends as expected or fails the demo. What it leaves behind goes to a folder that is removed afterwards. An
 * executable that is named is shown instead of what the sources make: `npm run demo -- executable/linux-x64/skyctl`.
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

/** What is typed, what its output must show, and the exit code where it is not 0. */
const steps = [
  {
    say: 'Where can a volume be?',
    type: 'regions list --filter country=us --columns id,label,status',
    shows: /us-east/,
  },
  {
    say: 'A volume; --wait returns when it is ready.',
    type: 'volumes create --label demo-data --size 20 --region us-east --tag demo --wait',
    shows: /demo-data +active +20/,
  },
  {
    say: 'Attach it to a compute instance of the same region.',
    type: 'volumes attach demo-data --compute-id 1001 --wait',
    shows: /demo-data .*web-1/,
  },
  { say: 'Let it grow.', type: 'volumes resize demo-data --size 40 --wait', shows: /demo-data +active +40/ },
  { say: 'All volumes, as a table …', type: 'volumes list --sort -size', shows: /demo-data +active +40/ },
  { say: '… and one as JSON, as a script reads it.', type: 'volumes view demo-data --json', shows: /"size": 40/ },
  {
    say: 'A volume cannot shrink: one line says so, and nothing is sent.',
    type: 'volumes resize demo-data --size 10',
    shows: /only be increased/,
    exit: 6,
  },
  { say: 'A typing error.', type: 'volumes view dmo-data', shows: /not found\. Did you mean "demo-data"/, exit: 5 },
  { say: 'Take it off the instance; --yes answers the question.', type: 'volumes detach demo-data --yes --wait' },
  { say: 'And away with it.', type: 'volumes delete demo-data --yes', shows: /Deleted volume "demo-data"/ },
  { say: 'No volume of that tag is left.', type: 'volumes list --filter tags=demo --json', shows: /^\[\]\n$/ },
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
  console.log('\nGo on by yourself:\n  bin/skyctl.js --context sandbox volumes list')
}

/** Nothing of the account of whoever runs the demo. */
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
