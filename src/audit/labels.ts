/** Labels for what a finding's command creates or renames. */

/**
 * `data-3002`: a label with something behind it. One that is too long with it is left out whole: a part of it may be a
 * part of a secret, which nobody would recognise.
 */
export function labelWith(label: string, suffix: string, longest: number): string {
  const whole = `${label}${suffix}`
  return whole.length > longest ? `renamed${suffix}` : whole
}
