/** Plans that were kept (`plan --out`): what was wanted, and what stood then. What is done is planned anew from both. */
import { check } from '../catalogue/check'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { Session } from '../session'
import type { Kind } from '../state/kind'
import { kinds } from '../state/kinds'
import type { Plan } from '../state/plan'
import type { Entry, Wanted } from '../state/wanted'
import { documentOf, formatVersion, titleOf } from './account-plan'

interface Kept {
  prune: boolean
  /** The service for which it was made: its address, or `sandbox`. */
  service: string
  wanted: Wanted
  objects: readonly unknown[]
}

/** The service that is acted on; the address of the context `sandbox` is another in each run. */
export async function serviceOf(session: Session): Promise<string> {
  const credential = await session.credential()
  return credential.sandbox ? 'sandbox' : credential.baseUrl
}

/** The text of the file. */
export function keptText(plan: Plan, { prune, service, wanted }: Omit<Kept, 'objects'>): string {
  const entries = [...wanted.entries].map(([kind, named]) => [
    kind,
    Object.fromEntries([...named].map(([name, { value }]) => [name, value])),
  ])
  const { settings } = wanted
  const kept = {
    ...documentOf(plan),
    service,
    prune,
    settings,
    wanted: Object.fromEntries(entries),
    found: foundIn(plan),
  }
  return JSON.stringify(kept, null, 2)
}

/** Undefined where the text is no plan, but may be a file of what is wanted; throws `usage` for one that is not for us. */
export function readKept(text: string, name: string): Kept | undefined {
  const value = parsed(text)
  if (!isRecord(value) || value.format_version === undefined) return undefined
  if (value.format_version !== formatVersion) {
    throw new Problem('usage', `${name} is a plan of another version: ${value.format_version}`, {
      hint: 'Make it again with skyctl plan --out',
    })
  }
  const { prune, service, settings, wanted, found } = value
  if (!isRecord(settings) || !isRecord(settings.defaults) || !isRecord(wanted) || !Array.isArray(found)) {
    throw new Problem('usage', `${name} is no plan that "skyctl plan --out" has kept`)
  }
  const entries = kinds.flatMap((kind) => {
    const named = wanted[kind.key]
    return named === undefined ? [] : [[kind.key, entriesOf(named, kind, name)] as const]
  })
  return {
    prune: prune === true,
    service: String(service),
    wanted: { settings: { ...settings, defaults: settings.defaults }, entries: new Map(entries) },
    objects: found,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws `usage` for what no plan of ours holds, as where somebody has changed it by hand. */
function entriesOf(named: unknown, { key, entry }: Kind, file: string): Map<string, Entry> {
  const entries = Object.entries(isRecord(named) ? named : {})
  const [wrong] = entries.flatMap(([name, value]) => check(entry, value).map(({ reason }) => `${name}: ${reason}`))
  if (wrong !== undefined) throw new Problem('usage', `${file}: ${key}.${wrong}`)
  return new Map(entries.map(([name, value]) => [name, { name, value, placeOf: () => file }]))
}

/** What the plan would do to what: it holds as long as this is the same. */
const foundIn = ({ objects }: Plan) =>
  objects.map(({ kind, noun, name, id = null, before, steps }) => {
    return {
      kind,
      noun,
      name,
      id,
      before,
      steps: steps.map(({ shifts: _shifts, replaced: _replaced, ...step }) => step),
    }
  })

/** Throws `refused` where an object that the plan touches is not as it was, with what is different. */
export function expectUnchanged({ objects }: Kept, plan: Plan): void {
  const now = new Map(foundIn(plan).map((object) => [keyOf(object), object]))
  const then = new Map(objects.filter(isRecord).map((object) => [keyOf(object), object]))
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(then.get(key)) !== JSON.stringify(now.get(key)),
  )
  if (changed.length === 0) return
  const names = changed.map((key) => {
    const { noun, name, id } = (then.get(key) ?? now.get(key)) as Parameters<typeof titleOf>[0]
    return titleOf({ noun, name, id: id ?? undefined })
  })
  throw new Problem('refused', `the account has changed since the plan was made: ${names.join(', ')}`, {
    hint: 'Plan again, and look at the difference',
  })
}

const keyOf = ({ kind, name }: { kind?: unknown; name?: unknown }) => JSON.stringify([kind, name])
