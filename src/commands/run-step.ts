/** Carries out a step of a plan or an undo with the command that does the same, on data instead of words. */
import type { Flags, PerformingCommand } from '../engine/command'
import type { Session } from '../session'
import type { PlanStep, StepName } from '../state/kind'
import { stepSession } from './step-session'

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
  /** In addition to the flags of the step. */
  flags?: Flags
  /** True if it must continue after an interrupt, as later steps are required. */
  isSteady?: boolean
  /** Called with the state of a wait, and with undefined when it is over. */
  waits?(state: (() => string) | undefined): void
}

/** Carries out the step; resolves to its answer, `{}` if there is none. */
export async function runStep(
  step: Pick<PlanStep, 'does' | 'arguments' | 'body' | 'replaced' | 'flags'>,
  session: Session,
  { looks, flags, waits = () => {}, isSteady = false }: Running,
): Promise<Readonly<Record<string, unknown>>> {
  const { perform } = await stepCommands[step.does]()
  const changeLog = async () => (await session.changeLog())?.within(step.does, { looks, before: step.replaced })
  const { arguments: names, body } = step
  return perform(
    { arguments: names, body, flags: { ...step.flags, ...flags } },
    stepSession(session, { waits, isSteady, changeLog }),
  )
}
