/** Commands against a service of which every field of every answer in turn is what no client should meet. */
import { defectsOf, type FormatFlag, formats, isWrong, type Line, type Spoiled } from './answer-defects'
import { stageOf } from './answer-stage'
import { brokenAnswers, brokenDefects } from './broken-answers'
import { hostileValues, lazyBody, ownValues, type Path, placesIn, spoiledBody, valueAtPath } from './hostile-answers'
import type { Recorded } from './replay'
import { commands } from './samples'

/** Those that ask a service for something; what edits or opens starts a process each time, and reads what others read. */
export const asking: readonly Line[] = commands.filter(
  ({ path, command }) =>
    (command.operations !== undefined || /^(api|auth login|auth status|completion values)$/.test(path)) &&
    !/^(sandbox|help)\b| (edit|open)$/.test(path),
)

export interface Figures {
  /** Different answers. */
  answers: number
  /** Runs: an answer in a format each. */
  runs: number
  /** Runs that ended with a sentence. */
  refused: number
  /** What must be empty. */
  defects: string[]
}

/** All that may happen to the answers of a command. */
function* mutations(recorded: readonly Recorded[]): Generator<Spoiled> {
  const main = mainAnswer(recorded)
  for (const [index, answer] of recorded.entries()) {
    const { body } = answer
    yield* brokenAnswers(answer, index)
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    yield* spoiledAt(placesIn(parsed), parsed, { index, formats })
    // Of these one answer stands for all, as they are read at one place.
    if (index !== main) continue
    yield* spoiledAt(placesIn(refusal), refusal, { index, status: 400, formats: messages })
    yield* spoiledAt(
      placesIn(warnings, ['warnings']),
      { ...Object(parsed), warnings },
      { index, status: 299, formats: messages },
    )
  }
}

/** The answer to the last write, or to the last read where nothing is written. */
function mainAnswer(recorded: readonly Recorded[]): number {
  const write = recorded.findLastIndex(({ asked }) => !asked.startsWith('GET '))
  return write < 0 ? recorded.length - 1 : write
}

/** Errors and caveats as the service tells them (api.md, Errors; gaps.md, On the wire). */
const refusal = { errors: [{ field: 'label', reason: 'Must be unique' }] }
const warnings = [{ title: 'One service could not be told', details: 'Its agent is away' }]

/** Stderr knows no other forms than these. */
const messages = ['', '--json'] as const

type At = Pick<Spoiled, 'index' | 'status' | 'formats'>

function* spoiledAt(places: Path[], body: unknown, at: At): Generator<Spoiled> {
  for (const path of places) {
    for (const value of [...hostileValues, ...ownValues(valueAtPath(body, path), path)]) {
      yield lazyBody({ ...at, path, value }, () => spoiledBody(body, path, value))
    }
  }
}

/** Of so many runs of a command, one is made: the first of them is the one after `phase` others. */
export interface Part {
  stride?: number
  phase?: number
  /** Of which answers these are. */
  only?(answer: Recorded, spoiled: Spoiled): boolean
}

export async function attack(line: Line, { stride = 1, phase = 0, only = () => true }: Part = {}): Promise<Figures> {
  const stage = await stageOf(line.path)
  const figures: Figures = { answers: 0, runs: 0, refused: 0, defects: [] }
  const meet = async (answer: Recorded, spoiled: Spoiled, format: FormatFlag) => {
    stage.replay.spoil(spoiled.index, spoiled)
    const result = await stage.run(format)
    figures.runs += 1
    if (result.exit !== 0) figures.refused += 1
    // A write that was done is done, also where that is only seen afterwards (reliability.md, Done).
    const seenLater = /^(PUT|DELETE) /.test(answer.asked) && stage.replay.readAfter
    const wrong = stage.replay.served && !seenLater && isWrong(line, answer, spoiled)
    const { path: place, value, status = '' } = spoiled
    const broken = spoiled.kind ? brokenDefects(line, result, { answer, spoiled, replay: stage.replay }) : []
    for (const defect of [...broken, ...defectsOf(line, result, { ...spoiled, format, wrong })]) {
      const what = `${answer.asked} ${status} ${place.join('.') || 'as a whole'} is ${value.name}`
      const told = `${result.exit} ${result.stdout.slice(0, 200)} | ${result.stderr.slice(0, 300)}`
      figures.defects.push(`${line.path} ${format}: ${what}: ${defect}\n    ${told}`)
    }
  }
  let turn = stride - phase - 1
  try {
    for (const spoiled of mutations([...stage.replay.recorded])) {
      const answer = stage.replay.recorded[spoiled.index]
      if (answer === undefined || !only(answer, spoiled)) continue
      const chosen = spoiled.formats.filter(() => ++turn % stride === 0)
      if (chosen.length > 0) figures.answers += 1
      for (const format of chosen) await meet(answer, spoiled, format)
    }
  } finally {
    await stage.close()
  }
  return figures
}
