/** Labels for what a finding's command creates or renames. */

/** `data-3002`: a label with something behind it, cut where both together are too long. */
export function labelWith(label: string, suffix: string, longest: number): string {
  // Half a surrogate pair is no character.
  return `${label.slice(0, longest - suffix.length).replace(/[\uD800-\uDBFF]$/, '')}${suffix}`
}
