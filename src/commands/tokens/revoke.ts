import * as actions from '../../account/actions/tokens'
import type { ResolvedTarget } from '../../account/resolved-target'
import { isInUse } from '../../account/token-in-use'
import { changeCommand } from '../../engine/change-command'
import type { Session } from '../../engine/session'
import { tokenColumns } from './columns'

async function includesOwn(subjects: readonly ResolvedTarget[], session: Session): Promise<boolean> {
  const own = await Promise.all(subjects.map(async ({ record }) => isInUse((await record()) ?? {}, session.account)))
  return own.includes(true)
}

export const revokeToken = changeCommand({
  name: 'revoke',
  aliases: ['delete', 'rm', 'remove'],
  action: actions.revokeToken,
  columns: tokenColumns,
  input: {
    accepts: 'several',
    flags: () => [
      { name: 'force', oldNames: ['even-if-current'], description: 'Revoke it even if it is the current token' },
    ],
  },
  question(_body, { flags, session }) {
    return async ({ names, several, targets: found }) => {
      const own = flags.force && (await includesOwn(found, session))
      const clients = `Clients that use ${several ? 'them' : 'it'} will be rejected at once`
      return `${clients}${own ? ', and you will be signed out' : ''}. Revoke ${names}`
    }
  },
  done: (_answer, { name }) => `Revoked ${name}`,
  help: {
    details: 'The API rejects requests with it at once. Revoking the current token ends your own access.',
    examples: [
      { what: 'Ask first, then revoke', line: 'skyctl tokens revoke deploy' },
      { what: 'The current token, from a script', line: 'skyctl tokens revoke deploy --force --yes' },
    ],
  },
})
