/**
 * The history: what was sent from this machine that changed something, or may have (`skyctl history`).
 *
 * Every such request is written down where it is sent (http/recorded), so that none is forgotten, whichever command or
 * flow sends it: begun before it leaves, so that a killed process leaves it open, and ended when it is known how.
 *
 * - What stood before is kept of what replaces it (PUT), and only in the fields that are replaced: it can be put back.
 *   Mostly the command has read it. One that has not reads it for this, with one request; several objects at once, and
 *   the steps of a plan, are not worth a request each. Of what was written only a hash is kept.
 * - Rules of firewalls are kept elsewhere already; here stands which copy.
 * - A change belongs to the user who made it. Where this machine does not know the user of the token yet, the service is
 *   asked once the first change is done.
 * - No body, no answer and no secret: what would have to be redacted is not kept, since it could not be put back.
 * - It never stops or fails a command. Where it cannot be written, -v says so once.
 */
import { formatJson } from '../../data/json'
import { randomMark } from '../../files/temporary'
import type { About, Ended, Recorded, Recording } from '../../http/recording'
import { once } from '../../rules/once'
import { isRecord } from '../../rules/records'
import { withoutSecrets } from '../../rules/secrets'
import type { Session, User } from '../../session'
import { type AccountName, accountOf } from '../account'
import type { Flags } from '../command'
import { heard } from '../heard'
import { knownUser, rememberedUser } from '../identity'
import { openStateFolder } from '../state-folder'
import { isSwitchedOn } from '../variable-flags'
import type { Begun, Told } from './lines'
import { hashOfPart, partOf } from './snapshot'
import { appendToHistory } from './store'

interface Running {
  flags: Flags
  /** Its words. */
  command: string
}

/** What a command writes down; undefined where that is not wanted, or cannot be. */
export async function recordingOf(session: Session, { flags, command }: Running): Promise<Recording | undefined> {
  if (!isSwitchedOn(session.env, 'SKYCTL_HISTORY', true)) return undefined
  const note = async (text: string) => {
    if (flags.verbose || flags.debug) await session.tell('note', text)
  }
  try {
    const folder = await openStateFolder('history', session)
    const account = await accountOf(session)
    const write = async (line: Begun | Told) => {
      // What ties the lines of a request together is none of what others say.
      const text = await formatJson({ ...clean(line, session), entry: line.entry }, 0)
      await heard(session, (warn) => appendToHistory(folder, text, warn))
    }
    const user = await rememberedUser(session)
    const learn = once(() => knownUser(session))
    const apply = command === 'apply' || flags.apply !== undefined ? randomMark().slice(0, 8) : undefined
    const log = { account: { ...account, ...(user && { user }) }, apply, learn, session, write, lost: note, open: true }
    return recordingIn(log, command, { looks: true })
  } catch (error) {
    await note(lossOf(error))
    return undefined
  }
}

/** Whatever it is, it is no reason to fail. */
const lossOf = (error: unknown) => `the history is not kept: ${error instanceof Error ? error.message : error}`

interface Log {
  account: AccountName & { user?: User }
  /** What its changes are undone by as one. */
  apply: string | undefined
  /** Who acts, where that was not known before. */
  learn(): Promise<User | undefined>
  session: Session
  write(line: Begun | Told): Promise<void>
  lost(text: string): Promise<void>
  /** Not any more, where writing has failed once. */
  open: boolean
}

type Within = Parameters<Recording['within']>[1]

function recordingIn(log: Log, command: string, { looks, before: known }: Within): Recording {
  return {
    looks,
    ...(log.apply !== undefined && { apply: log.apply }),
    within: (inner, options) => recordingIn(log, `${command}: ${inner}`, options),
    async begin({ method, path, holes, about = {} }) {
      const entry = randomMark()
      const { before = known, whole, copy } = about
      const kept = before && (await isKeepable(before, log.session)) ? before : undefined
      await attempt(log, () => ({
        ...{ entry, time: timeOf(log), ...log.account, command, method, path: path.slice(0, longestText) },
        ...(log.apply !== undefined && { apply: log.apply }),
        ...(holes && Object.keys(holes).length > 0 && { holes }),
        ...(about.label !== undefined && { label: about.label.slice(0, longestText) }),
        ...(kept && { before: kept }),
        ...(kept && whole && { whole }),
        ...(copy !== undefined && { copy }),
      }))
      // What was not replaced stands nowhere in the answer.
      return recordOf(entry, { before: method === 'PUT' ? kept : undefined, ...(whole && { whole }) }, log)
    },
  }
}

function recordOf(entry: string, { before, whole }: Pick<About, 'before' | 'whole'>, log: Log): Recorded {
  return {
    async ended({ outcome, code, status, requestId, answer }: Ended) {
      // Only what was done can be undone; and a service that has just answered will answer this.
      const user = outcome === 'ok' && log.open && !log.account.user ? await log.learn() : undefined
      const made = isRecord(answer) ? namesIn(answer) : {}
      const after =
        before && outcome === 'ok' && isRecord(answer) && hashOfPart(partOf(answer, { before, whole }), whole)
      await attempt(log, () => ({
        ...{ entry, ended: timeOf(log), outcome },
        ...(code && { code }),
        ...(status !== undefined && { status }),
        ...(requestId && { request_id: requestId.slice(0, longestText) }),
        ...made,
        ...(after && { after }),
        ...(user && { user }),
      }))
    },
  }
}

/** Adds a line; the first that cannot be written is the last that is tried. */
async function attempt(log: Log, line: () => Begun | Told): Promise<void> {
  if (!log.open) return
  try {
    await log.write(line())
  } catch (error) {
    log.open = false
    await log.lost(lossOf(error))
  }
}

const timeOf = ({ session }: Log) => new Date(session.clock.now()).toISOString()

/** A service may send anything; labels take up to 100 characters (api.md, Limits). */
const longestText = 1000

/** An address is its own name, and so is a range. */
function namesIn({ id, address, range, label }: Record<string, unknown>): Pick<Told, 'id' | 'label'> {
  const name = [id, address, range].find((one) => typeof one === 'number' || typeof one === 'string')
  return {
    ...(typeof name === 'number' && { id: name }),
    ...(typeof name === 'string' && { id: name.slice(0, longestText) }),
    ...(typeof label === 'string' && { label: label.slice(0, longestText) }),
  }
}

/** Preferences take up to 65,535 characters (api.md, Limits). */
const mostCharacters = 70_000

/** Whether it may be kept as it is: what is redacted could not be put back. */
async function isKeepable(before: Readonly<Record<string, unknown>>, { secrets }: Session): Promise<boolean> {
  const text = await formatJson(before, 0)
  if (text.length > mostCharacters || secrets.inMessage(text) !== text) return false
  return (await formatJson(withoutSecrets(before), 0)) === text
}

/** No text holds a secret; numbers stay what they are, although a code may look like one. */
function clean(record: object, session: Session): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanValue(value, session)]))
}

function cleanValue(value: unknown, session: Session): unknown {
  if (typeof value === 'string') return session.secrets.inMessage(value)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, session))
  return isRecord(value) ? clean(value, session) : value
}
