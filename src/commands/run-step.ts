/** Carries out a step of a plan or an undo with the command that does the same, on data instead of words. */
import type { Account } from '../account/account'
import { usualWaitMs } from '../account/change-context'
import type { PerformingCommand } from '../engine/command'
import type { PlanStep, StepName } from '../state/plan-step'

/** The commands that do what steps do; each is loaded when it is needed. */
export const stepCommands: Readonly<Record<StepName, () => Promise<PerformingCommand>>> = {
  'firewalls create': async () => (await import('./firewalls/create')).createFirewall,
  'firewalls delete': async () => (await import('./firewalls/delete')).deleteFirewall,
  'firewalls disable': async () => (await import('./firewalls/status')).disableFirewall,
  'firewalls enable': async () => (await import('./firewalls/status')).enableFirewall,
  'firewalls update': async () => (await import('./firewalls/update')).updateFirewall,
  'firewalls devices add': async () => (await import('./firewalls/devices/add')).addDevice,
  'firewalls devices delete': async () => (await import('./firewalls/devices')).deleteDevice,
  'firewalls rules update': async () => (await import('./firewalls/rules/update')).updateRules,
  'ips assign': async () => (await import('./ips/assign')).assignIps,
  'ips rdns': async () => (await import('./ips/rdns')).setRdns,
  'profile preferences set': async () => (await import('./profile/preferences')).setPreferences,
  'profile sshkeys add': async () => (await import('./profile/sshkeys')).addKey,
  'profile sshkeys delete': async () => (await import('./profile/sshkeys')).deleteKey,
  'profile sshkeys update': async () => (await import('./profile/sshkeys')).updateKey,
  'profile update': async () => (await import('./profile/update')).updateProfile,
  'tokens update': async () => (await import('./tokens/update')).updateToken,
  'volumes attach': async () => (await import('./volumes/attach')).attachVolume,
  'volumes create': async () => (await import('./volumes/create')).createVolume,
  'volumes delete': async () => (await import('./volumes/delete')).deleteVolume,
  'volumes detach': async () => (await import('./volumes/detach')).detachVolume,
  'volumes resize': async () => (await import('./volumes/resize')).resizeVolume,
  'volumes update': async () => (await import('./volumes/update')).updateVolume,
  'volumes wait': async () => (await import('./volumes/wait')).waitForVolume,
}

interface Running {
  /** True if an extra read of the previous state for the history is allowed. */
  looks: boolean
  /** True if it may harm a protected object. A steady step always may: the plan has checked it, and it has no time. */
  force?: boolean
  /** Limit of its wait. */
  waitMs?: number
  /** True if it must continue after an interrupt, as later steps are required. */
  isSteady?: boolean
  /** Called with the state of a wait, and with undefined when it is over. */
  waits?(state: (() => string) | undefined): void
}

/** Carries out the step; resolves to its answer, `{}` if there is none. */
export async function runStep(
  { does, arguments: names, body, replaced, options: { wait, ...options } = {} }: Step,
  account: Account,
  { looks, force = false, waitMs = usualWaitMs, ...running }: Running,
): Promise<Readonly<Record<string, unknown>>> {
  const { perform } = await stepCommands[does]()
  const changeLog = async () => (await account.changeLog())?.within(does, { looks, before: replaced })
  const step = {
    arguments: names,
    body,
    options: {
      ...options,
      force: force || running.isSteady === true || options.force === true,
      ...(wait && { waitMs }),
    },
  }
  return perform(step, accountOfStep(account, { ...running, changeLog }))
}

type Step = Pick<PlanStep, 'does' | 'arguments' | 'body' | 'replaced' | 'options'>

/** Returns the account as a step sees it: its changes are recorded as those of a plan, and its waits are heard. */
function accountOfStep(
  account: Account,
  { waits = () => {}, isSteady = false, changeLog }: Pick<Running, 'waits' | 'isSteady'> & Pick<Account, 'changeLog'>,
): Account {
  const client: Account['client'] = (options) => account.client({ ...options, isSteady })
  return {
    ...account,
    ...(isSteady && { signal: new AbortController().signal, client }),
    changeLog,
    // A wait is one line of the progress of all steps.
    async progress(text, state) {
      const progress = await account.progress(text, state)
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
