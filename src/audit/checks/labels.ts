/** Checks for labels that several objects share: a command that names one of them by label exits with 6. */
import { groupBy } from '../../rules/records'
import { auditCheck, type CheckResult } from '../check'

interface Labelled {
  id: number
  label: string
}

interface Kind {
  kind: string
  /** Arguments of the command that changes a label. */
  update: readonly string[]
  /** Maximum length of a label (api.md, Limits). */
  longest: number
}

/**
 * Appends a suffix to a label: `data-3002`. A label that gets too long is replaced as a whole. A part of it may be a
 * part of a secret, which redaction would not recognise.
 */
export function labelWith(label: string, suffix: string, longest: number): string {
  const whole = `${label}${suffix}`
  return whole.length > longest ? `renamed${suffix}` : whole
}

/** Reports every object with a shared label but the first, which keeps it. */
function sharedLabels(all: readonly Labelled[], { kind, update, longest }: Kind): CheckResult[] {
  return [...groupBy(all, ({ label }) => label).values()].flatMap(([first, ...others]) =>
    others.map(({ id, label }) => ({
      subject: { kind, id, label },
      reason: `${kind} ${first?.id} has the same label, so commands need the id`,
      command: [...update, String(id), '--label', labelWith(label, `-${id}`, longest)],
    })),
  )
}

export const volumeLabelTwice = auditCheck({
  code: 'volume-label-twice',
  severity: 'low',
  title: 'Volumes share a label',
  needs: ['volumes'],
  find: ({ volumes }) => sharedLabels(volumes, { kind: 'volume', update: ['volumes', 'update'], longest: 32 }),
})

export const sshKeyLabelTwice = auditCheck({
  code: 'ssh-key-label-twice',
  severity: 'low',
  title: 'SSH keys share a label',
  needs: ['sshkeys'],
  find: ({ sshkeys }) =>
    sharedLabels(sshkeys, { kind: 'sshkey', update: ['profile', 'sshkeys', 'update'], longest: 64 }),
})

export const tokenLabelTwice = auditCheck({
  code: 'token-label-twice',
  severity: 'low',
  title: 'Tokens share a label',
  needs: ['tokens'],
  find: ({ tokens }) => sharedLabels(tokens, { kind: 'token', update: ['tokens', 'update'], longest: 100 }),
})
