/** How somebody gets into the account. */
import { groupBy } from '../../rules/groups'
import { fullScope } from '../../rules/scopes'
import { parseTimestamp } from '../../rules/times'
import { check, type Subject } from '../check'

const profile: Subject = { kind: 'profile', id: null, label: null }

/** With an identity provider, that one asks for the password and the code. */
const byPassword = ({ authentication_type: type }: { authentication_type: string }) => type === 'password'

/** api.md, Limits: so many are needed. */
const questionsToAnswer = 3

export const twoFactorOff = check({
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

export const questionsUnanswered = check({
  code: 'security-questions-unanswered',
  severity: 'medium',
  title: 'Security questions are not answered',
  needs: ['profile', 'questions'],
  find({ profile: user, questions }) {
    const answered = questions.filter(({ response }) => response !== null).length
    if (answered >= questionsToAnswer || !byPassword(user)) return []
    const reason = `${answered} of ${questionsToAnswer} are answered, and two-factor authentication needs all`
    return [{ subject: profile, reason, command: ['profile', 'security-questions', 'answer'] }]
  },
})

export const failedLogins = check({
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

export const appWrites = check({
  code: 'app-write-scopes',
  severity: 'medium',
  title: 'Apps may change the account',
  needs: ['apps'],
  find({ apps, now }) {
    const inForce = apps.filter(({ expiry }) => expiry === null || !(parseTimestamp(expiry) <= now))
    return inForce.flatMap(({ id, label, scopes }) => {
      const writing = scopes.split(/[\s,]/).filter((scope) => scope === fullScope || scope.endsWith(':read_write'))
      if (writing.length === 0) return []
      const reason = `may use ${writing.join(' ')}`
      return [{ subject: { kind: 'app', id, label }, reason, command: ['profile', 'apps', 'revoke', String(id)] }]
    })
  },
})
