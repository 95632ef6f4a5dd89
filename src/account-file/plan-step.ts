/** A step of a plan or an undo: one change, with what it means for people. */
import type { Step } from '../account/actions'
import type { RulesChange } from '../firewall/diff'
import type { ReachabilityChange, Service } from '../firewall/effects'
import type { Traffic } from '../firewall/summarize-traffic'
import type { Client } from '../http/client'

/** One change that brings an object closer to the desired state. */
export interface PlanStep extends Step {
  /** Action for scripts: `create`, `resize`, `detach`, `rules`. */
  action: string
  /** Changes for people, one per line: `size: 40 GiB -> 60 GiB`. */
  changes: readonly string[]
  rules?: readonly RulesChange[]
  consequences?: readonly Consequence[]
  /** True if new rules end all filtering of inbound traffic. */
  opensAll?: true
  /** Changes of traffic for protected services. */
  shifts?: readonly ReachabilityChange[]
  /** True if it frees a place that another object needs, and so comes before it. */
  first?: true
  /** Sends the steps with this key as one request, whose body has the lists of all: all are done, or none. */
  batch?: Batch
  /** Keys that the step releases or claims, such as the protection of a service: `./order-steps` pairs them. */
  frees?: readonly string[]
  takes?: readonly string[]
  /** Returns the step that reverts this one if later steps of its job fail. `answer` is the answer to this step. */
  undo?(answer: Readonly<Record<string, unknown>>): Step
  /** Checks, right before the step, whether it is still allowed; throws if not. Resolves to the object, if it was read. */
  guard?(client: Client): Promise<object | undefined>
  /** Reports whether the object that the guard has read shows that somebody has made the change already. */
  isDone?(present: object): boolean
}

interface Batch {
  /** Key that they share. */
  key: string
  /** Field of the body with a list; the request has the lists of all steps. */
  list: string
  /** Checks, right before the request, whether it is still allowed; throws if not. */
  guard(client: Client, request: Pick<PlanStep, 'body' | 'replaced'>): Promise<void>
}

export const consequenceKinds = [
  'starts billing',
  'destroys',
  'cuts off',
  'opens',
  'unprotects',
  'still allowed',
] as const

/** Consequences that the user must know before confirming. */
export interface Consequence {
  kind: (typeof consequenceKinds)[number]
  text: string
  /** GiB that are billed from now on, or destroyed and no longer billed. */
  size?: number
  /** Services that it affects, and the traffic that is newly blocked or allowed there. */
  services?: readonly Service[]
  traffic?: readonly Traffic[]
  /** Label of the firewall that protects the service right after. */
  taken_over_by?: string
}
