/** Runs commands against answers in which one field is missing or null, and checks what they do. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../src/rules/records'
import { defectsOf, isJson, type Line, printsPartialResults } from './answer-defects'
import { type Stage, stageOf } from './answer-stage'
import type { Figures, Part } from './answers'
import { hostileValues, lazyBody, type Path, placesIn, spoiledBody, type Value, valueAtPath } from './hostile-answers'
import type { Recorded } from './replay'
import { decides, isOnlyPrinted } from './required-fields'
import type { Result } from './run'
import type { Sample } from './samples'

/** A command with the line to run, if it is not that of its sample. */
export interface Case extends Line {
  name?: string
  sample?: Sample
}

/** Output of a run, with the changes that it sent. */
interface Run extends Result {
  changes: readonly string[]
}

const formats = ['--json', ''] as const
const absences = hostileValues.filter(({ name }) => name === 'missing' || name === 'null')

/** Fields that may be null (api.md; gaps.md). Every list may be null, too: it is empty then. */
const nullable = new Set([
  ...['addresses', 'compute_id', 'compute_label', 'expiry', 'rdns', 'gateway', 'subnet_mask', 'vpc_nat_1_1'],
  ...['route_target', 'ports'],
  ...['authorized_keys', 'verified_phone_number', 'response', 'child_account_access', 'account_access', 'permissions'],
])

/**
 * Reports whether a rule may lack a field (api.md, Firewall rule). Addresses that are null are no addresses (gaps.md).
 */
function isOptional(path: Path): boolean {
  const isOfRule = path.includes('inbound') || path.includes('outbound')
  return isOfRule && ['label', 'description', 'ports', 'ipv4', 'ipv6'].includes(String(path.at(-1)))
}

/** A field that is missing or null, in the first item of a list or in all items. */
interface Absence {
  index: number
  path: Path
  value: Value
  body: string
  isEverywhere: boolean
}

function* absencesIn(recorded: readonly Recorded[]): Generator<Absence> {
  for (const [index, { status, body }] of recorded.entries()) {
    if (status !== 200 || !isJson(body)) continue
    const parsed: unknown = JSON.parse(body)
    for (const path of placesIn(parsed)) {
      if (typeof path.at(-1) !== 'string') continue
      const isValue = nullable.has(String(path.at(-1))) || Array.isArray(valueAtPath(parsed, path))
      for (const value of isOptional(path) ? [] : absences) {
        if (value.name === 'null' && isValue) continue
        const absence = { index, path, value }
        yield lazyBody({ ...absence, isEverywhere: false }, () => spoiledBody(parsed, path, value))
        if (!hasItems(parsed) || path.length < 3) continue
        yield lazyBody({ ...absence, isEverywhere: true }, () => spoiledItems(parsed, path, value))
      }
    }
  }
}

const hasItems = (body: unknown): body is { data: unknown[] } =>
  isRecord(body) && Array.isArray(body.data) && body.data.length > 1

/** Changes the same field in each item of the page. */
function spoiledItems(body: { data: unknown[] }, path: Path, value: Value): string {
  const within = path.slice(2)
  const data = body.data.map((item) => {
    const holder = within
      .slice(0, -1)
      .reduce<unknown>(
        (inner, key) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
        item,
      )
    const key = within.at(-1) ?? ''
    return isRecord(holder) && Object.hasOwn(holder, key) ? JSON.parse(spoiledBody(item, within, value)) : item
  })
  return JSON.stringify({ ...body, data })
}

export async function attackAbsent(
  one: Case,
  { stride = 1, phase = 0 }: Pick<Part, 'stride' | 'phase'> = {},
): Promise<Figures> {
  const stage = await stageOf(one.path, one.sample)
  const figures: Figures = { answers: 0, runs: 0, refused: 0, defects: [] }
  const { replay } = stage
  let turn = stride - phase - 1
  try {
    const cleans = { '--json': await cleanRun(stage, '--json'), '': await cleanRun(stage, '') }
    for (const absence of absencesIn([...replay.recorded])) {
      const chosen = formats.filter(() => ++turn % stride === 0)
      const answer = replay.recorded[absence.index]
      if (chosen.length === 0 || !answer) continue
      figures.answers += 1
      for (const format of chosen) {
        replay.spoil(absence.index, absence)
        const run = await runOf(stage, format)
        const clean = cleans[format]
        figures.runs += 1
        if (run.exit !== 0) figures.refused += 1
        if (!replay.served) continue
        const wasSent = replay.recorded.slice(0, absence.index + 1).some(({ request }) => !request.startsWith('GET '))
        const defects = [
          ...absenceDefects(one, run, { clean, answer, absence, format, wasSent }),
          ...defectsOf(one, run, { ...absence, format, wrong: false }),
        ]
        for (const defect of defects)
          figures.defects.push(describeDefect(one, run, { clean, answer, absence, format, defect }))
      }
    }
  } finally {
    await stage.close()
  }
  return figures
}

async function cleanRun(stage: Stage, format: string): Promise<Run> {
  stage.replay.spoil(undefined, { body: '' })
  return runOf(stage, format)
}

async function runOf({ run, replay }: Stage, format: string): Promise<Run> {
  const result = await run(format)
  return { ...result, changes: replay.changes.map(maskRandomParts) }
}

/** Masks what differs between runs: random ids, times counted from the service's clock, and folders. */
const maskRandomParts = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{12,16}/g, 'MARK')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z/g, 'TIME')
    .replaceAll(/(skyctl-place-\w+)\/\d+/g, '$1/RUN')

interface Comparison {
  clean: Run
  answer: Recorded
  absence: Absence
  format: string
  /** Whether a change was sent before this answer arrived. */
  wasSent: boolean
}

/** Lists the defects of a run: it must do the same as with the field, or fail before it sends a change. */
function absenceDefects(
  one: Case,
  { exit, stdout, stderr, changes }: Run,
  { clean, answer, absence: { path }, format, wasSent }: Comparison,
): string[] {
  const field = String(path.at(-1))
  const isSame = isDeepStrictEqual([...changes].sort(), [...clean.changes].sort())
  const isCounted = /\b\d+ of \d+ applied\b/.test(stderr)
  const isPart = changes.every((change) => clean.changes.includes(change))
  const rules: Record<string, boolean> = {
    'sends other changes': exit === 0 && !isSame,
    'prints another value than null':
      exit === 0 &&
      format === '--json' &&
      !isOnlyPrinted(one, path) &&
      !isSameOrNull(maskRandomParts(clean.stdout), maskRandomParts(stdout)),
    'prints a value in a table that the answer lacks':
      exit === 0 &&
      format === '' &&
      !/^(api|export)$/.test(one.path) &&
      !isOnlyPrinted(one, path) &&
      printsMore(maskRandomParts(clean.stdout), maskRandomParts(stdout), field),
    // A failed apply claims released services again, and continues with the other objects.
    'fails after a change was sent':
      exit !== 0 &&
      (wasSent ? !isPart && !printsPartialResults.test(one.path) : changes.length > 0 && !(isPart && isCounted)),
    'prints a message that does not name the field':
      exit !== 0 && !wasSent && !`${stderr}${printsPartialResults.test(one.path) ? stdout : ''}`.includes(field),
    'fails because of a field that it does not need': exit !== 0 && !decides(one, answer.request, path),
  }
  return Object.keys(rules).filter((name) => rules[name])
}

/** Reports whether a table line has words that no line of the complete table has. */
function printsMore(clean: string, printed: string, field: string): boolean {
  const before = linesOf(clean)
  return linesOf(printed).some(
    (words) =>
      !before.some((cleanLine) => words.every((word) => word === '-' || word === field || cleanLine.includes(word))),
  )
}

const linesOf = (text: string) => text.split('\n').map((line) => line.split(/[\s,]+/))

function isSameOrNull(clean: string, printed: string): boolean {
  if (!isJson(clean) || !isJson(printed)) return clean === printed
  const isFit = (before: unknown, after: unknown): boolean => {
    if (after === null || after === undefined) return true
    if (Array.isArray(before) && Array.isArray(after))
      return before.length === after.length && before.every((item, index) => isFit(item, after[index]))
    if (!isRecord(before) || !isRecord(after)) return isDeepStrictEqual(before, after)
    return Object.keys({ ...before, ...after }).every((key) => isFit(before[key], after[key]))
  }
  return isFit(JSON.parse(clean), JSON.parse(printed))
}

function describeDefect(
  { path: command, name = '' }: Case,
  { exit, stdout, stderr, changes }: Run,
  { answer, absence, format, defect }: Omit<Comparison, 'wasSent'> & { defect: string },
): string {
  const where = `${absence.path.join('.')}${absence.isEverywhere ? ' of each item' : ''} is ${absence.value.name}`
  const sent = changes.map((change) => `\n    sent ${change.slice(0, 200)}`).join('')
  return `${command} ${name} ${format}: ${answer.request}: ${where}: ${defect}\n    ${exit} ${stdout.slice(0, 200)} | ${stderr.slice(0, 300)}${sent}`
}
