import { byId } from '../../account/find-target'
import type { Resource } from '../../account/resource'
import type { AnswerRecord } from '../../catalogue/operation'
import { logins } from '../../catalogue/profile/logins'
import type { CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { listCommand } from '../../engine/list'
import { viewCommand } from '../../engine/view-command'
import { columnsFor } from '../../output/column'

const resource: Resource = {
  noun: 'login',
  parameter: 'loginId',
  list: logins.list,
  view: logins.view,
  reference: byId,
}

const loginColumns = columnsFor<AnswerRecord<typeof logins.list>>([
  'id',
  'datetime',
  'ip',
  'username',
  { path: 'restricted', priority: 'low' },
  'status',
])

const group: CommandGroup = {
  name: 'logins',
  aliases: ['login'],
  summary: 'Logins of the last 90 days',
  commands: eagerCommands(
    listCommand(logins.list, {
      columns: loginColumns,
      plural: 'logins',
      test: 'status=failed',
      details: 'Lists the successful logins of the last 90 days, each with the address that it came from.',
      examples: [{ what: 'From one address', line: 'skyctl profile logins list --filter ip=198.51.100.16' }],
    }),
    viewCommand(resource, {
      columns: loginColumns,
      examples: [{ what: 'Where a login came from', line: 'skyctl profile logins view 6 --columns datetime,ip' }],
    }),
  ),
}

export default group
