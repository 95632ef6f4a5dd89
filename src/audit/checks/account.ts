/** Checks sign-in and access to the account. */
import type { Profile } from '../../catalogue/profile/profile'
import { groupBy } from '../../rules/records'
import { fullScope } from '../../rules/scope-cover'
import { parseTimestamp } from '../../rules/times'
import { type AuditSubject, auditCheck } from '../check'

const profile: AuditSubject = { kind: 'profile', id: null, label: null }

/** Reports whether the user signs in with a password. Otherwise the identity provider asks for password and code. */
const byPassword = ({ authentication_type: type }: Pick<Profile, 'authentication_type'>) => !type || type === 'password'

/** Number of answers that two-factor authentication needs (api.md, Limits). */
const questionsToAnswer = 3

export const twoFactorOff = auditCheck({
  code: 'two-factor-off',
  severity: 'critical',
  title: 'Two-factor authentication is off',
  needs: ['profile'],
  find({ profile: user }) {
    if (user.two_factor_auth || !byPassword(user)) return []
    const reason = `${user.username} signs in with a password alone`
    return [{ subject: profile, reason, command: ['profile', 'tfa', 'setup'] }]
  },
})

export const questionsUnanswered = auditCheck({
  code: 'security-questions-unanswered',
  severity: 'medium',
  title: 'Security questions are not answered',
  needs: ['profile', 'questions'],
  find({ profile: user, questions }) {
    const answered = questions.filter(({ response }) => response !== null).length
    if (answered >= questionsToAnswer || !byPassword(user)) return []
    const reason = `${answered} of ${questionsToAnswer} are answered; two-factor authentication needs all`
    return [{ subject: profile, reason, command: ['profile', 'security-questions', 'answer'] }]
  },
})

export const failedLogins = auditCheck({
  code: 'failed-logins',
  severity: 'medium',
  title: 'Logins failed',
  needs: ['logins'],
  find({ logins }) {
    const failed = logins.filter(({ status }) => status === 'failed')
    const byAddress = groupBy(failed, ({ ip }) => ip)
    return [...byAddress].map(([ip, attempts]) => {
      const last = attempts.reduce((latest, { datetime }) => (datetime > latest ? datetime : latest), '')
      const entered = logins.some((login) => login.ip === ip && login.status === 'successful' && login.datetime >= last)
      const times = attempts.length === 1 ? 'once' : `${attempts.length} times`
      return {
        subject: { kind: 'login', id: ip, label: null },
        reason: `failed ${times}, last at ${last} (UTC)${entered ? ', and succeeded later' : ''}`,
        command: ['profile', 'logins', 'list', '--filter', `ip=${ip}`],
      }
    })
  },
})

export const appWrites = auditCheck({
  code: 'app-write-scopes',
  severity: 'medium',
  title: 'Apps may change the account',
  needs: ['apps'],
  find({ apps, now }) {
    const active = apps.filter(({ expiry }) => expiry === null || !(parseTimestamp(expiry) <= now))
    return active.flatMap(({ id, label, scopes }) => {
      const writing = scopes.split(/[\s,]/).filter((scope) => scope === fullScope || scope.endsWith(':read_write'))
      if (writing.length === 0) return []
      const reason = `may use ${writing.join(' ')}`
      return [
        {
          subject: { kind: 'app', id, label },
          reason,
          command: ['profile', 'apps', 'revoke', String(id)],
          alternatives: [['profile', 'apps', 'view', String(id)]],
        },
      ]
    })
  },
})
