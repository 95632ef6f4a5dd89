import { logins } from '../../catalogue/profile/logins'
import type { Group } from '../../engine/command'
import { listCommand } from '../../engine/list'
import { byId, type Resource } from '../../engine/resource'
import { viewCommand } from '../../engine/show'

const resource: Resource = {
  noun: 'login',
  parameter: 'loginId',
  list: logins.list,
  view: logins.view,
  reference: byId,
}

const columns = ['id', 'datetime', 'ip', 'username', 'restricted', 'status'].map((path) => ({ path }))

const group: Group = {
  name: 'logins',
  aliases: ['login'],
  summary: 'Logins of the last 90 days',
  commands: [
    listCommand(logins.list, {
      columns,
      plural: 'logins',
      examples: [{ what: 'From one address', line: 'skyctl profile logins list --filter ip=203.0.113.7' }],
    }),
    viewCommand(resource, {
      columns,
      examples: [{ what: 'Where a login came from', line: 'skyctl profile logins view 123 --columns datetime,ip' }],
    }),
  ],
}

export default group
