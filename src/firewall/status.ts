/** Interprets a firewall's status. Some values are undocumented (gaps.md, Unknown kinds in answers). */

/** Status that can be set. */
export type FirewallStatus = 'enabled' | 'disabled'

export const isKnownStatus = (status: unknown): status is FirewallStatus =>
  status === 'enabled' || status === 'disabled'

/** Reports whether a firewall with this status may be enforced. An unknown status counts as enforced. */
export const mayBeEnforced = (status: unknown) => status !== 'disabled' && status !== 'deleted'

/** Returns a warning for an unknown status; undefined if the API documents the status. */
export function unknownStatusText(status: unknown, name: string): string | undefined {
  if (isKnownStatus(status) || typeof status !== 'string') return undefined
  return `${name} has the unknown status "${status}": skyctl cannot tell whether its rules are enforced`
}
