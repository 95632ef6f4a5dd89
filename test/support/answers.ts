/** Runs commands against a service that replaces each field of each answer, in turn, by an unexpected value. */
import { defectsOf, type FormatFlag, formats, isWrong, type Line, type Spoiled } from './answer-defects'
import { stageOf } from './answer-stage'
import { brokenAnswers, brokenDefects } from './broken-answers'
import { hostileValues, lazyBody, ownValues, type Path, placesIn, spoiledBody, valueAtPath } from './hostile-answers'
import type { Recorded } from './replay'
import { commands } from './samples'

/**
 * Commands that send requests. Left out are `edit` and `open`: they start a process each time, and read the same
 * answers.
 */
export const requestingCommands: readonly Line[] = commands.filter(
  ({ path, command }) =>
    (command.operations !== undefined || /^(api|auth login|auth status|completion values)$/.test(path)) &&
    !/^(sandbox|help)\b| (edit|open)$/.test(path),
)

export interface Figures {
  /** Number of different answers. */
  answers: number
  /** Number of runs: an answer in one format each. */
  runs: number
  /** Number of runs that failed with a message. */
  refused: number
  /** Must be empty. */
  defects: string[]
}

/** Yields all changed answers for a command. */
function* mutations(recorded: readonly Recorded[]): Generator<Spoiled> {
  const main = mainAnswer(recorded)
  for (const [index, answer] of recorded.entries()) {
    const { body } = answer
    yield* brokenAnswers(answer, index)
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    yield* spoiledAt(placesIn(parsed), parsed, { index, formats })
    // One answer is enough for these, since all answers are read by the same code.
    if (index !== main) continue
    yield* spoiledAt(placesIn(refusal), refusal, { index, status: 400, formats: messages })
    yield* spoiledAt(
      placesIn(warnings, ['warnings']),
      { ...Object(parsed), warnings },
      { index, status: 299, formats: messages },
    )
  }
}

/** Returns the index of the answer to the last write, or to the last read if nothing is written. */
function mainAnswer(recorded: readonly Recorded[]): number {
  const write = recorded.findLastIndex(({ request }) => !request.startsWith('GET '))
  return write < 0 ? recorded.length - 1 : write
}

/** Errors and warnings in the form of the service (api.md, Errors; gaps.md, On the wire). */
const refusal = { errors: [{ field: 'label', reason: 'Must be unique' }] }
const warnings = [{ title: 'One service could not be told', details: 'Its agent is away' }]

/** Formats of stderr. */
const messages = ['', '--json'] as const

type At = Pick<Spoiled, 'index' | 'status' | 'formats'>

function* spoiledAt(places: Path[], body: unknown, at: At): Generator<Spoiled> {
  for (const path of places) {
    for (const value of [...hostileValues, ...ownValues(valueAtPath(body, path), path)]) {
      yield lazyBody({ ...at, path, value }, () => spoiledBody(body, path, value))
    }
  }
}

/** Selects one of `stride` runs of a command, beginning after `phase` runs. */
export interface Part {
  stride?: number
  phase?: number
  /** Selects the answers to change. */
  only?(answer: Recorded, spoiled: Spoiled): boolean
}

export async function attack(line: Line, { stride = 1, phase = 0, only = () => true }: Part = {}): Promise<Figures> {
  const stage = await stageOf(line.path)
  const figures: Figures = { answers: 0, runs: 0, refused: 0, defects: [] }
  const runWith = async (answer: Recorded, spoiled: Spoiled, format: FormatFlag) => {
    stage.replay.spoil(spoiled.index, spoiled)
    const result = await stage.run(format)
    figures.runs += 1
    if (result.exit !== 0) figures.refused += 1
    // A write is done once its answer arrives, even if a later read shows what was wrong (reliability.md, Done).
    const seenLater = /^(PUT|DELETE) /.test(answer.request) && stage.replay.readAfter
    const wrong = stage.replay.served && !seenLater && isWrong(line, answer, spoiled)
    const { path: place, value, status = '' } = spoiled
    const broken = spoiled.kind ? brokenDefects(line, result, { answer, spoiled, replay: stage.replay }) : []
    for (const defect of [...broken, ...defectsOf(line, result, { ...spoiled, format, wrong })]) {
      const what = `${answer.request} ${status} ${place.join('.') || 'as a whole'} is ${value.name}`
      const output = `${result.exit} ${result.stdout.slice(0, 200)} | ${result.stderr.slice(0, 300)}`
      figures.defects.push(`${line.path} ${format}: ${what}: ${defect}\n    ${output}`)
    }
  }
  let turn = stride - phase - 1
  try {
    for (const spoiled of mutations([...stage.replay.recorded])) {
      const answer = stage.replay.recorded[spoiled.index]
      if (answer === undefined || !only(answer, spoiled)) continue
      const chosen = spoiled.formats.filter(() => ++turn % stride === 0)
      if (chosen.length > 0) figures.answers += 1
      for (const format of chosen) await runWith(answer, spoiled, format)
    }
  } finally {
    await stage.close()
  }
  return figures
}
