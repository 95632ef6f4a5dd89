/** Watchers, as the process sees them that is watched: one that is killed is started again. */
import { resolve } from 'node:path'
import { SANDBOX } from '../../../config/contexts'
import { Problem } from '../../../errors'
import { self } from '../../../files/self'
import { randomMark } from '../../../files/temporary'
import type { Detached } from '../../../host'
import { type Environment, withoutToken } from '../../../rules/environment'
import { shellWord } from '../../../rules/shell-words'
import type { Session } from '../../../session'
import { readRecords, removeRecord } from './records'
import type { Answer, Order, Outcome, Watch } from './watch'

export interface Watcher {
  /**
   * Tells what is to be undone by now; when this resolves, it will be, whatever becomes of this process. Throws `refused`
   * where the watcher has undone it already: then nothing more must be done that it is for.
   */
  watch(change: Partial<Watch>): Promise<void>
  /**
   * Has all of it undone now. It is known what became of it, so no later command tells it; but where the run is
   * interrupted meanwhile, which this throws, and the watcher goes on.
   */
  undo(): Promise<Outcome>
  /** All is to stay. Resolves to what became of it where it was undone before, as its time was over. */
  forget(): Promise<Outcome | undefined>
  /** Leaves the rest to the watcher, which lives on. */
  leave(): Promise<void>
}

/** Each of them may be killed. */
const mostStarts = 5

/** Starts a watcher. Throws `local` where there can be none: then nothing must be done that it is for. */
export async function startWatcher(
  wanted: Pick<Watch, 'undoings' | 'deadline' | 'stage'>,
  session: Session,
): Promise<Watcher> {
  const { detach } = await session.host()
  const environment = await environmentFor(session)
  const account = { service: await serviceOf(session), account: await accountOf(session) }
  const first = { id: randomMark(), ...account, attached: true, first: self(), ...wanted }
  const line = openLine(first, () => detach(['firewalls', 'watch'], environment), session)
  await line.ask('watch')
  return {
    watch: (change) => line.ask('watch', change),
    async undo() {
      const progress = await session.progress('Putting things back')
      try {
        await unlessInterrupted(line.ask('undo'), session)
      } catch (error) {
        line.release()
        throw error
      } finally {
        progress.done()
      }
      // Nothing else is answered to it.
      const outcome = line.outcome() as Outcome
      line.release()
      await forgetRecord(first.id, session)
      return outcome
    },
    async forget() {
      await line.ask('forget')
      line.release()
      if (line.outcome()) await forgetRecord(first.id, session)
      return line.outcome()
    },
    async leave() {
      await line.ask('watch', { attached: false })
      line.release()
    },
  }
}

/** An interrupt from before is why it is undone at all. */
async function unlessInterrupted(work: Promise<void>, { signal }: Session): Promise<void> {
  if (signal.aborted) return work
  let stop = () => {}
  const interrupt = new Promise<never>((_, reject) => {
    stop = () => {
      const { code, message }: Problem = signal.reason
      const text = `${message}; it is tried on in the background, and the next command says what became of it`
      reject(new Problem(code, text))
    }
    signal.addEventListener('abort', stop)
  })
  try {
    await Promise.race([work, interrupt])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface Line {
  /**
   * Resolves when the watcher has heard it, or has done its work by itself; there is nothing left to watch then. Throws
   * `local` where none lives long enough.
   */
  ask(what: Order['what'], change?: Partial<Watch>): Promise<void>
  outcome(): Outcome | undefined
  release(): void
}

function openLine(first: Watch, start: () => Detached, session: Session): Line {
  let watch = first
  let order: Order = { number: 0, watch, what: 'watch' }
  let pending: { resolve(): void; reject(error: unknown): void } | undefined
  let outcome: Outcome | undefined
  let over = false
  let lostAll: Problem | undefined
  let starts = 0
  let child = begin()

  function begin(): Detached {
    starts += 1
    const begun = start()
    begun.onLines(hear, lost)
    if (order.number > 0) begun.send(JSON.stringify(order))
    return begun
  }
  function hear(line: string): void {
    const answer = JSON.parse(line) as Answer
    if ('trying' in answer) return void session.say(answer.trying)
    if ('outcome' in answer) outcome = answer.outcome
    else if (answer.heard !== order.number) return
    if (outcome || order.what === 'forget') over = true
    pending?.resolve()
    pending = undefined
  }
  function lost(): void {
    if (over) return
    child.release()
    if (starts < mostStarts) {
      child = begin()
      return
    }
    lostAll = new Problem('local', 'the process that is to undo it later ends each time it is started')
    pending?.reject(lostAll)
  }
  return {
    ask(what, change = {}) {
      watch = { ...watch, ...change }
      if (over) return what === 'watch' ? Promise.reject(endedBefore(outcome)) : Promise.resolve()
      if (lostAll) return Promise.reject(lostAll)
      order = { number: order.number + 1, watch, what }
      child.send(JSON.stringify(order))
      return new Promise<void>((resolve, reject) => {
        pending = { resolve, reject }
      })
    },
    outcome: () => outcome,
    release() {
      over = true
      child.release()
    },
  }
}

function endedBefore(outcome: Outcome | undefined): Problem {
  const texts = outcome?.texts ?? []
  return new Problem('refused', ['the background process undid the change before it was complete', ...texts].join('; '))
}

/** The token is in its environment, as it may be in ours, and nowhere else. */
async function environmentFor(session: Session): Promise<Environment> {
  const { SKYCTL_TOKEN_FILE: _file, SKYCTL_CONTEXT: _context, SKYCTL_DEBUG_FILE: _debug, ...rest } = session.env
  const { NODE_EXTRA_CA_CERTS: certificates } = rest
  // It works in another folder than this process.
  const env = { ...rest, ...(certificates && { NODE_EXTRA_CA_CERTS: resolve(certificates) }) }
  if ((await session.credential()).sandbox) {
    const { SKYCTL_BASE_URL: _elsewhere, ...others } = withoutToken(env)
    return { ...others, SKYCTL_CONTEXT: SANDBOX }
  }
  const { baseUrl, token } = await session.signedIn()
  return { ...env, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: token }
}

/** Firewalls of one number at two services are two firewalls. */
export async function serviceOf(session: Session): Promise<string> {
  if ((await session.credential()).sandbox) return SANDBOX
  return new URL((await session.signedIn()).baseUrl).origin
}

/** What names the account in a later command; nothing where it is not one of a context. */
async function accountOf(session: Session): Promise<string> {
  const credential = await session.credential()
  const { context } = credential
  const own = credential.sandbox || ('from' in credential.secret && credential.secret.from === 'context')
  return own && context ? ` --context ${shellWord(context.name)}` : ''
}

async function forgetRecord(id: string, session: Session): Promise<void> {
  for (const record of await readRecords(session)) if (record.watch.id === id) removeRecord(record)
}
