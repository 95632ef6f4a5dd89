/**
 * Whatever the service answers, nothing of it is a defect of skyctl: every field of every answer that a command reads is
 * replaced by what no client should meet. Here a part of that, drawn evenly; `node bench/answers.mjs` takes all of it,
 * and STRIDE=7 every seventh.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { exitCodes } from '../src/errors'
import { manualClock } from './support/clock'
import { mismatch } from './support/described'
import {
  hostileValues,
  ownValues,
  type Path,
  placesIn,
  spoiledBody,
  type Value,
  valueAtPath,
} from './support/hostile-answers'
import { openReplay, type Recorded, type Replay } from './support/replay'
import { commands, samples } from './support/samples'
import { environmentOf, openTestSandbox } from './support/sandbox'
import { type Fixtures, type Result, runSkyctl, testClock, words } from './support/skyctl'

const everything = surroundings.ANSWERS === 'all'
/** Of so many answers one is taken in `npm test`: a prime, so that every value and format comes up. */
const stride = everything ? Number(surroundings.STRIDE ?? 1) : 331
/** `2/3`: the second third of the commands. */
const [share = 1, shares = 1] = (surroundings.SHARE ?? '1/1').split('/').map(Number)

const formats = ['', '--json', '-o ndjson', '-o yaml', '-o csv', '-o tsv', '-q'] as const
type FormatFlag = (typeof formats)[number]

/** Those that ask a service for something; what edits starts a process each time, and reads the same answers as others. */
const asking = commands.filter(
  ({ path, command }) =>
    (command.operations !== undefined || /^(api|auth login|auth status|completion values)$/.test(path)) &&
    !/^(sandbox|help)\b| edit$/.test(path),
)
const chosen = asking.filter((_, index) => index % shares === share - 1)

type Line = (typeof commands)[number]

interface Spoiled {
  index: number
  path: Path
  value: Value
  format: FormatFlag
}

interface Stage {
  replay: Replay
  run(format: FormatFlag): Promise<Result>
  close(): Promise<void>
}

/** Runs a sample once against a sandbox, and then as often as wanted against what it answered. */
async function stageOf(path: string): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-answers-'))
  const clock = testClock(manualClock())
  const sandbox = await openTestSandbox({ clock })
  const env = environmentOf(sandbox, home)
  const replay = await openReplay(sandbox.baseUrl)
  // Copies of rules belong to an address.
  Object.assign(env, { SKYCTL_BASE_URL: replay.baseUrl })
  for (const folder of ['state', 'config']) mkdirSync(join(home, folder), { mode: 0o700 })
  const skyctl: Fixtures['skyctl'] = (line, options) => runSkyctl(line, { env, clock, ...options })
  const { line = '', stdin = '', arrange } = samples[path] ?? {}
  await arrange?.({ skyctl, sandbox, world: sandbox.world, env, home, clock })
  const type = (format: string) => {
    // Copies of rules pile up, and a context may only be made once.
    for (const folder of ['state', 'config']) {
      rmSync(join(home, `${folder}-now`), { recursive: true, force: true })
      cpSync(join(home, folder), join(home, `${folder}-now`), { recursive: true })
    }
    const own = { ...env, SKYCTL_STATE_DIR: join(home, 'state-now'), SKYCTL_CONFIG_DIR: join(home, 'config-now') }
    const input = stdin.replace('TOKEN', sandbox.ownerToken)
    return runSkyctl([...words(`${path} ${line} ${format}`), '--yes'], { env: own, clock, stdin: input })
  }
  replay.begin()
  const clean = await type('')
  expect(clean.exit, `${path}: ${clean.stderr}`).toBe(0)
  return {
    replay,
    run: type,
    async close() {
      await replay.close()
      await sandbox.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** All that may happen to the answers of a command. */
function* mutations({ replay: { recorded } }: Stage): Generator<Spoiled> {
  for (const [index, { body }] of recorded.entries()) {
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    for (const path of placesIn(parsed)) {
      for (const value of [...hostileValues, ...ownValues(valueAtPath(parsed, path), path)]) {
        for (const format of formats) yield { index, path, value, format }
      }
    }
  }
}

const codes: readonly number[] = Object.values(exitCodes)
const leaks = /\bundefined\b|\[object \w+\]|\bNaN\b|\bInvalid Date\b|\bInfinity\b|a defect of skyctl/
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e]/

/** What is made is handed over before anything else is done with it. */
const handsOver = /^tokens rotate$/

/** What is wrong with a run; empty where nothing is. */
function defectsOf(
  { path }: Line,
  { exit, stdout, stderr }: Result,
  { path: place, value, format }: Spoiled,
  wrong: boolean,
) {
  // What this one prints for people is JSON.
  const people = (format === '' || format === '-q') && path !== 'api'
  const all = `${stdout}\n${stderr}`
  const rules: Record<string, boolean> = {
    'an exit code that is none': !codes.includes(exit) && exit !== 0,
    'a stack': /\n\s+at .+:\d+:\d+/.test(stderr),
    'a value of our own language': value.name !== 'NaN as a text' && leaks.test(all),
    'null for a person': people && exit === 0 && /(^|\s)null(\s|$)/m.test(all),
    'a character that acts': raw.test(people ? all : stderr),
    'success with what makes no sense': wrong && exit === 0,
    'output and failure':
      exit !== 0 && stdout !== '' && !handsOver.test(path) && !['-o ndjson', '-o csv', '-o tsv'].includes(format),
    'no JSON': format === '--json' && exit === 0 && !isJson(stdout),
    'no lines of JSON': format === '-o ndjson' && !stdout.split('\n').filter(Boolean).every(isJson),
    'no JSON on stderr':
      (format === '--json' || format === '-o ndjson') && !stderr.split('\n').filter(Boolean).every(isJson),
    // A region is named once for each plan that it has; rules and questions are no list of pages.
    'an item twice':
      value.name === 'each item twice' &&
      place.join() === 'data' &&
      format === '-q' &&
      path !== 'regions availability' &&
      hasTwice(stdout.split('\n').filter(Boolean)),
  }
  return Object.keys(rules).filter((name) => rules[name])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const hasTwice = (lines: readonly string[]) => new Set(lines).size < lines.length

/**
 * Whether the document of the service (docs/openapi.json) rules out what the command itself asks for. What stands for
 * nothing is judged elsewhere, and so is what a text must look like.
 */
function isWrong({ command }: Line, recorded: Recorded, { path: place, value }: Spoiled, body: string): boolean {
  const { asked, status } = recorded
  const [method = '', path = ''] = asked.replace('/v4', '').split(' ')
  if (value.name === 'missing' || value.name === 'null' || status !== 200 || !isJson(body)) return false
  const operation = command.operations?.find((one) => one.method === method && isAt(path, one.path))
  // What is lost on the way is looked for, and found done.
  if (!operation || operation.repeat === 'check first') return false
  // A bare array is a list as well (gaps.md).
  if (operation.paged && place.length === 0 && value.name === 'an empty list') return false
  if (value.name === 'another id') return place.length === 1 && /^GET \/v4\/.+\/\d+$/.test(asked)
  const faults = mismatch(method, path, { status, body: JSON.parse(body) })
  return Array.isArray(faults) && !faults.some(({ keyword }) => keyword === 'pattern')
}

const isAt = (path: string, template: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(path)

const tally = { answers: 0, refused: 0, defects: 0 }
let turn = 0

test.for(chosen)('$path shows no defect, whatever it is answered', { timeout: 3_600_000 }, async (line) => {
  const { path } = line
  const stage = await stageOf(path)
  const found: string[] = []
  try {
    for (const spoiled of mutations(stage)) {
      turn += 1
      const answer = stage.replay.recorded[spoiled.index]
      if (turn % stride !== 0 || answer === undefined) continue
      const body = spoiledBody(answer.body === '' ? {} : JSON.parse(answer.body), spoiled.path, spoiled.value)
      stage.replay.spoil(spoiled.index, body)
      const result = await stage.run(spoiled.format)
      tally.answers += 1
      if (result.exit !== 0) tally.refused += 1
      for (const defect of defectsOf(
        line,
        result,
        spoiled,
        stage.replay.served && isWrong(line, answer, spoiled, body),
      )) {
        const { path: place, value, format } = spoiled
        const what = `${path} ${format}: ${answer.asked} ${place.join('.') || 'as a whole'} is ${value.name}`
        found.push(
          `${what}: ${defect}\n    ${result.exit} ${result.stdout.slice(0, 200)} | ${result.stderr.slice(0, 300)}`,
        )
      }
    }
  } finally {
    await stage.close()
  }
  tally.defects += found.length
  expect(found.slice(0, Number(surroundings.SHOW ?? 5)), `${found.length} defects`).toEqual([])
})

afterAll(() => {
  if (everything)
    console.log(`${tally.answers} answers, of which ${tally.refused} were refused: ${tally.defects} defects`)
})
