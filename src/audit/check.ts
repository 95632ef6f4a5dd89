/** What is looked for in an account: each check is data, and a pure function of what was read of it (state.md). */
import type { Always, Part, World } from './world'

/** Worst first. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** What a finding is about; of the profile there is one, without an id. */
export interface Subject {
  /** For scripts: `firewall`, `sshkey`. */
  kind: string
  id: number | string | null
  label: string | null
  /** What of it, where it may have several: `tcp/22`. It stays the same as long as the matter does. */
  part?: string | undefined
}

export interface Found {
  subject: Subject
  /** Half a sentence, without a full stop. */
  reason: string
  /** The words that fix it, without the program's name. Words in capitals are the reader's to replace. */
  command: readonly string[]
  /** Other ways. What destroys something is never the only way. */
  alternatives?: readonly (readonly string[])[]
}

/** A check is given what it needs, and what is always known. */
export type Seen<P extends Part> = Pick<World, P | Always>

export interface Check<P extends Part = Part> {
  /** For ever the same: scripts and files of exceptions hold it. docs/audit.md explains each. */
  code: string
  severity: Severity
  /** What is the matter, as a heading. */
  title: string
  needs: readonly P[]
  find(world: Seen<P>): Found[]
}

/** A check, with the type of what it needs, as one of any. */
export const check = <const P extends Part, const C extends string>(one: Check<P> & { code: C }): Check & { code: C } =>
  one
