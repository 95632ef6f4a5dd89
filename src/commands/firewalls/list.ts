import { firewalls } from '../../catalogue/firewalls'
import { listCommand } from '../../engine/list'
import { firewallColumns } from './resource'

export const listFirewalls = listCommand(firewalls.list, {
  columns: firewallColumns,
  plural: 'firewalls',
  test: 'status=enabled',
  examples: [{ what: 'Firewalls with a tag', line: 'skyctl firewalls list --filter tags=production' }],
})
