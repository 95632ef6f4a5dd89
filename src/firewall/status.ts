/** What the status of a firewall tells; the API has others than those that it documents (gaps.md, Unknown kinds in answers). */

/** A status that can be set. */
export type Status = 'enabled' | 'disabled'

export const isKnownStatus = (status: unknown): status is Status => status === 'enabled' || status === 'disabled'

/** Whether the rules of a firewall may decide about traffic: an unknown status is not taken for one without effect. */
export const mayFilter = (status: unknown) => status !== 'disabled' && status !== 'deleted'

/** What to know before a judgement or a change relies on the status; undefined where the API documents it. */
export function unknownStatusText(status: unknown, name: string): string | undefined {
  if (isKnownStatus(status) || typeof status !== 'string') return undefined
  return `${name} has the unknown status "${status}": skyctl cannot tell whether its rules are enforced`
}
