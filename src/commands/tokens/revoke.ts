import * as actions from '../../account/actions/tokens'
import type { ResolvedTarget } from '../../account/resolved-target'
import { nameOf } from '../../account/resource'
import { tokenResource } from '../../account/resources/token'
import { changeCommand } from '../../engine/change-command'
import { Problem } from '../../errors'
import type { Session } from '../../session'
import { tokenColumns } from './columns'
import { isInUse } from './in-use'

async function includesOwn(subjects: readonly ResolvedTarget[], session: Session): Promise<boolean> {
  const own = await Promise.all(subjects.map(async ({ record }) => isInUse((await record()) ?? {}, session)))
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
    async check(_body, { flags, dry, session, record }) {
      const token = dry || flags.force ? undefined : await record()
      if (token && typeof token.token !== 'string') {
        throw new Problem('usage', `the API does not show the text of token ${token.id}: it may be the current one`, {
          hint: 'Add --force to revoke it anyway',
        })
      }
      if (!token || !(await isInUse(token, session))) return
      const name = nameOf(tokenResource, { id: token.id, record: token })
      throw new Problem('usage', `${name} is the current token: without it you are signed out`, {
        hint: 'Replace it with skyctl tokens rotate, or add --force',
      })
    },
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
    examples: [
      { what: 'Ask first, then revoke', line: 'skyctl tokens revoke deploy' },
      { what: 'The current token, from a script', line: 'skyctl tokens revoke deploy --force --yes' },
    ],
  },
})
