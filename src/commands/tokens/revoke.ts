import { tokens } from '../../catalogue/tokens'
import { type About, changeCommand } from '../../engine/change'
import { Problem } from '../../errors'
import { tokenColumns } from './columns'
import { isInUse } from './in-use'
import { tokenResource } from './resource'

async function includesOwn({ found, context }: About): Promise<boolean> {
  const own = await Promise.all(found.map(({ record = {} }) => isInUse(record, context)))
  return own.includes(true)
}

export const revokeToken = changeCommand({
  name: 'revoke',
  aliases: ['delete', 'rm', 'remove'],
  operation: tokens.revoke,
  resource: tokenResource,
  columns: tokenColumns,
  many: true,
  reads: true,
  flags: [{ name: 'even-if-current', description: 'Revoke it although it is the one in use' }],
  async precheck(_body, { flags, dry, context }, found) {
    if (dry || flags['even-if-current'] || !found?.record || !(await isInUse(found.record, context))) return
    throw new Problem(
      'usage',
      `token "${found.record.label}" (${found.id}) is the one in use: without it you are signed out`,
      {
        hint: 'Replace it with skyctl tokens rotate, or add --even-if-current',
      },
    )
  },
  async consequence(name, flags, about) {
    const text = `Revoke ${name}: whatever uses it is refused at once`
    return flags['even-if-current'] && about && (await includesOwn(about)) ? `${text}, and you are signed out` : text
  },
  done: (_answer, name) => `Revoked ${name}`,
  examples: [
    { what: 'Ask first, then revoke', line: 'skyctl tokens revoke ci' },
    { what: 'The token in use, from a script', line: 'skyctl tokens revoke ci --even-if-current --yes' },
  ],
})
