/** Labels for resources that a finding's command creates or renames. */

/**
 * Appends a suffix to a label: `data-3002`. A label that gets too long is replaced as a whole. A part of it may be a
 * part of a secret, which redaction would not recognise.
 */
export function labelWith(label: string, suffix: string, longest: number): string {
  const whole = `${label}${suffix}`
  return whole.length > longest ? `renamed${suffix}` : whole
}
