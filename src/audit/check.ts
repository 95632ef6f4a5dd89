/** Types of a check: data and a pure function over the parts of the account that were read (state.md). */
import type { AccountSnapshot, Always, Guard, SnapshotPart } from './snapshot'

/** Ordered from worst to least severe. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** Object of a finding. The profile has no id. */
export interface AuditSubject {
  /** For scripts: `firewall`, `sshkey`. */
  kind: string
  id: number | string | null
  label: string | null
  /** Part of the object, if it may have several findings: `tcp/22`. Stays the same as long as the problem exists. */
  part?: string | undefined
}

export interface CheckResult {
  subject: AuditSubject
  /** Half a sentence, without a full stop. */
  reason: string
  /** Arguments of the command that fixes it, without the program's name. The user replaces words in capitals. */
  command: readonly string[]
  /** Other commands. A destructive command is never the only one. */
  alternatives?: readonly (readonly string[])[]
}

/** Input of a check: the parts that it needs, and those that are always known. */
export type SnapshotView<P extends SnapshotPart> = Pick<AccountSnapshot, P | Always>

export interface AuditCheck<P extends SnapshotPart = SnapshotPart> {
  /** Never changes: scripts and files of exceptions refer to it. docs/audit.md explains each code. */
  code: string
  severity: Severity
  /** Heading that names the problem. */
  title: string
  needs: readonly P[]
  find(world: SnapshotView<P>): CheckResult[]
}

/** Infers the type of a check from its needs, and returns it as a check of any parts. */
export const auditCheck = <const P extends SnapshotPart, const C extends string>(
  one: AuditCheck<P> & { code: C },
): AuditCheck & { code: C } => one

/**
 * Appends a suffix to a label: `ci-scoped`. A label that gets too long is replaced as a whole. A part of it may be a
 * part of a secret, which redaction would not recognise.
 */
export function labelWith(label: string, suffix: string, longest: number): string {
  const whole = `${label}${suffix}`
  return whole.length > longest ? `renamed${suffix}` : whole
}

interface FirewallCheck<C extends string> extends Omit<AuditCheck, 'needs' | 'find'> {
  code: C
  findIn(guard: Guard, world: SnapshotView<'firewalls'>): CheckResult[]
}

export const firewallCheck = <const C extends string>({ findIn, ...head }: FirewallCheck<C>) =>
  auditCheck({
    ...head,
    needs: ['firewalls'],
    find: (world) => world.firewalls.flatMap((guard) => findIn(guard, world)),
  })
