/** All actions by name, for plans and undo: one that is needed is loaded. */
import { type Operation, parametersOf } from '../../catalogue/operation'
import { Problem } from '../../errors'
import type { Account, Reporter } from '../account'
import type { Action } from '../action'
import { fixedBody } from '../action-functions'
import { type ActionRunner, type ChangeRequest, type CustomAction, runnerOf } from '../action-runner'
import type { ChangeResult, PlannedRequest, ResultListener } from '../change'
import type { ChangeOptions, RequestBody } from '../change-context'
import type { Undo } from '../undo'

const firewalls = () => import('./firewalls')
const ips = () => import('./ips')
const profile = () => import('./profile')
const volumes = () => import('./volumes')

/** Names are those in plans and in the history: the commands that do the same. */
const actions = {
  'firewalls create': async () => (await firewalls()).createFirewall,
  'firewalls delete': async () => (await firewalls()).deleteFirewall,
  'firewalls disable': async () => (await firewalls()).setStatus('disabled'),
  'firewalls enable': async () => (await firewalls()).setStatus('enabled'),
  'firewalls update': async () => (await firewalls()).updateFirewall,
  'firewalls devices add': async () => (await firewalls()).addDevice,
  'firewalls devices delete': async () => (await firewalls()).deleteDevice,
  'firewalls rules update': async () => (await import('./update-rules')).updateRules,
  'ips assign': async () => (await ips()).assignAddresses,
  'ips rdns': async () => (await ips()).setReverseDns,
  'profile preferences set': async () => (await import('./preferences')).replacePreferences,
  'profile sshkeys add': async () => (await profile()).addSshKey,
  'profile sshkeys delete': async () => (await profile()).deleteSshKey,
  'profile sshkeys update': async () => (await profile()).updateSshKey,
  'profile update': async () => (await profile()).updateProfile,
  'tokens update': async () => (await import('./tokens')).updateToken,
  'volumes attach': async () => (await volumes()).attachVolume,
  'volumes create': async () => (await volumes()).createVolume,
  'volumes delete': async () => (await volumes()).deleteVolume,
  'volumes detach': async () => (await volumes()).detachVolume,
  'volumes resize': async () => (await volumes()).resizeVolume,
  'volumes update': async () => (await volumes()).updateVolume,
  'volumes wait': async () => (await import('./await-volume')).waitUntilActive,
} satisfies Record<string, () => Promise<Action | CustomAction | ActionRunner>>

export type ActionName = keyof typeof actions

const load = (name: ActionName): Promise<Action | CustomAction | ActionRunner> => actions[name]()

const isActionName = (text: string): text is ActionName => Object.hasOwn(actions, text)

/** Returns the name of an action; throws `defect` for any other text. */
export function actionNamed(name: string): ActionName {
  if (isActionName(name)) return name
  throw new Problem('defect', `"${name}" is no action`)
}

/** Returns how the history undoes an action; undefined for any other text. */
export async function undoOfAction(name: string): Promise<Undo | undefined> {
  if (!isActionName(name)) return undefined
  const action = await load(name)
  return 'undo' in action ? action.undo : undefined
}

/** A change of a plan or an undo. */
export interface Step extends ChangeRequest {
  does: ActionName
  target: readonly string[]
  /** Previous values of the fields in the body, from when the account was read. */
  replaced?: Readonly<RequestBody> | undefined
  options?: StepOptions
}

export interface StepOptions extends Omit<ChangeOptions, 'resendUnknown'> {}

interface Running {
  /** True if an extra read of the previous state for the history is allowed. */
  looks: boolean
  /** True if it may harm a protected object. */
  force?: boolean
  /**
   * True if it must continue after an interrupt, as later steps are required. Then it may harm a protected object and
   * block traffic: the plan has checked it, and it has no time.
   */
  isSteady?: boolean
  /** Called with the state of a wait, and with undefined when it is over. */
  waits?: ((state: (() => string) | undefined) => void) | undefined
  /** Called with its result, before the wait. */
  onResult?: ResultListener | undefined
}

export async function requestOfStep({ does, target, body }: Step): Promise<PlannedRequest> {
  const action = await load(does)
  if (typeof action === 'function') throw new Problem('defect', `"${does}" is no single request`)
  const { operation } = action
  const path = Object.fromEntries(parametersOf(operation.path).map((name, index) => [name, target[index] ?? '']))
  const sent = ('body' in action ? fixedBody(action) : undefined) ?? body
  return { operation, path, ...(sent && { body: { ...sent } }) }
}

/** Returns the operation of an action; undefined for one that only waits. */
export async function operationOf(does: ActionName): Promise<Operation | undefined> {
  const action = await load(does)
  return typeof action === 'function' ? undefined : action.operation
}

/** Runs the step. The result has its warnings, which the account's reporter received, too. */
export async function runStep(
  { does, replaced, options = {}, ...request }: Step,
  account: Account,
  { looks, force = false, onResult, waits, isSteady = false }: Running,
): Promise<ChangeResult & { warnings: readonly string[] }> {
  const action = await load(does)
  const perform = typeof action === 'function' ? action : runnerOf(action)
  const allowed = {
    force: force || isSteady || options.force === true,
    allowLockout: isSteady || options.hasPlan === true || options.allowLockout === true,
  }
  const step = { ...request, options: { ...options, ...allowed } }
  const warnings: string[] = []
  const client: Account['client'] = (clientOptions) => account.client({ ...clientOptions, isSteady })
  const around: Account = {
    ...account,
    // A limit for all steps would end a long plan between a detachment and its attachment.
    clock: { ...account.clock, waitLimit: account.clock.waitLimit.again() },
    ...(isSteady && { signal: new AbortController().signal, client }),
    history: async () => (await account.history())?.within(does, { looks, before: replaced }),
    reporter: reporterOf(account, { warnings, waits }),
  }
  return perform(step, around, onResult).then((result) => ({ ...result, warnings }))
}

/** Returns the reporter of a step: notes warnings, and hears its waits. */
function reporterOf(
  { reporter }: Account,
  { warnings, waits = () => {} }: { warnings: string[]; waits: Running['waits'] },
): Reporter {
  return {
    status: (text) => reporter.status(text),
    warn(text) {
      warnings.push(text)
      return reporter.warn(text)
    },
    // A wait is one line of the progress of all steps.
    async progress(text, state) {
      const progress = await reporter.progress(text, state)
      waits(state)
      return {
        ...progress,
        done() {
          progress.done()
          waits(undefined)
        },
      }
    },
  }
}
