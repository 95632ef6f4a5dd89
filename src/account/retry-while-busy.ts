/** Waits for an object that is busy: the service refuses a change, and has done nothing (gaps.md, Busy). */
import { ignoreProblem, isBusy, Problem } from '../errors'
import { limitText, spanText } from '../rules/durations'
import { nameList } from '../rules/texts'
import type { Account } from './account'
import type { RequestBody } from './change-context'
import { readDevices } from './resources/firewall'
import { waitPauses } from './wait-limit'

/**
 * Makes a change again while its object is busy; throws any other failure of it. After the time limit it throws the last
 * refusal.
 */
export async function repeatWhileBusy<T>(change: () => Promise<T>, first: unknown, account: Account): Promise<T> {
  if (!isBusy(first)) throw first
  const { clock, signal } = account
  const { waitLimit } = clock
  waitLimit.start()
  if (waitLimit.left() <= 0) throw stillBusy(first)
  const refusal = await nameAssignedInstances(first, account)
  const progress = await showWait(refusal.message, account)
  try {
    for (let pause: number = waitPauses.first; ; pause = Math.min(pause * 1.5, waitPauses.longest)) {
      const left = waitLimit.left()
      if (left <= 0) throw stillBusy(refusal)
      const sleep = clock.whileWaiting(() => clock.sleep(Math.min(pause, left), signal))
      await sleep.catch((error: unknown) => Promise.reject(interruptedWait(error, refusal)))
      try {
        return await change()
      } catch (error) {
        if (!isBusy(error)) throw error
      }
    }
  } finally {
    progress.done()
  }
}

/** Shows what is waited for, and how long at most, in milliseconds: while it waits on a terminal, or else once. */
export async function showWait(message: string, { clock, reporter }: Account, longest = clock.waitLimit.left()) {
  const began = clock.monotonic()
  const waits = `up to ${limitText(longest)}: ${message}`
  const line = () => `Waiting ${spanText(clock.monotonic() - began)}, ${waits}`
  const progress = await reporter.progress(line, () => `waits ${waits}`)
  if (!progress.shown) await reporter.status(`Waiting ${waits}`)
  return progress
}

/** Creates the problem of a wait that reached its limit. */
function stillBusy(refusal: Problem): Problem {
  const hint = 'It may be migrating, which ends by itself. To wait longer, run it again with --wait-timeout 1h'
  return refusal.with({ hint })
}

/** Says what an interrupted wait leaves undone. */
function interruptedWait(error: unknown, { message }: Problem): unknown {
  if (!(error instanceof Problem)) return error
  const hint = `Not done yet: ${message.replace(/\.$/, '')}. To continue, run the same command again`
  return error.with({ hint })
}

/** Adds the instance that a request or the volume of it names: `Compute busy (instance web-1)`. */
export function nameInstance(refusal: Problem, body: RequestBody, record: RequestBody = {}): Problem {
  const isDevice = body.type === 'compute'
  const name = isDevice ? body.id : (body.compute_id ?? record.compute_label ?? record.compute_id)
  return typeof name === 'string' || typeof name === 'number' ? named(refusal, [String(name)]) : refusal
}

/** Adds the instances of the firewall that the request is about: one of them is busy. */
async function nameAssignedInstances(refusal: Problem, account: Account): Promise<Problem> {
  const [, firewall] = /^\/networking\/firewalls\/(\d+)/.exec(refusal.details.request?.path ?? '') ?? []
  if (firewall === undefined || refusal.message.endsWith(')')) return refusal
  // Without permission to read them, the service's own words have to do.
  const devices = (await readDevices(Number(firewall), account).catch(ignoreProblem)) ?? []
  const names = devices.flatMap(({ entity }) => (entity?.type === 'compute' ? [String(entity.label ?? entity.id)] : []))
  return names.length === 0 ? refusal : named(refusal, names)
}

function named({ code, message, details }: Problem, names: readonly string[]): Problem {
  const text = `${message.replace(/\.$/, '')} (${names.length === 1 ? 'instance' : 'one of'} ${nameList(names)})`
  return new Problem(code, text, details)
}
