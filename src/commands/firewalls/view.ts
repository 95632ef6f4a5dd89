import { type Firewall, firewallDevices, firewalls } from '../../catalogue/firewalls'
import { forEachTarget, type Outcome, resultsOf } from '../../engine/bulk'
import type { Command } from '../../engine/command'
import { findTarget, type Item, type Target } from '../../engine/resource'
import { viewCommand } from '../../engine/show'
import { readTargets } from '../../engine/targets'
import { fieldPaths, viewOf } from '../../engine/view'
import { shapedRules } from '../../firewall/rules'
import { readDevices } from './read-devices'
import { firewallColumns, firewallResource, senselessRules } from './resource'
import { firewallScreen, wantsScreen } from './screen'

const records = viewCommand(firewallResource, {
  columns: firewallColumns,
  details: 'A table also shows the services that it protects; for other formats, see "firewalls devices list".',
  examples: [{ what: 'What protects what, on one screen', line: 'skyctl firewalls view web' }],
})

export const viewFirewall: Command = {
  ...records,
  operations: [firewalls.view, firewallDevices.list],
  records: firewalls.view,
  async run(input, context) {
    const shown = { fields: fieldPaths(firewallResource.view), columns: firewallColumns }
    const view = await viewOf(shown, input.flags, context)
    if (!wantsScreen(view)) return records.run(input, context)
    const targets = await readTargets(input, firewallResource, context)
    const act = async (target: Target) => {
      const { record } = await findTarget(target, firewallResource, context, { record: true })
      const firewall = record as Item & Firewall
      const rules = shapedRules(firewall.rules)
      if (!rules) throw senselessRules(firewall)
      return firewallScreen({ ...firewall, rules }, await readDevices(firewall.id, context), view)
    }
    const one = (screen: string) => context.stdout.write(screen)
    const several = async (outcomes: AsyncIterable<Outcome<Target, string>>) => {
      let before = ''
      for await (const [screen = ''] of resultsOf(outcomes)) {
        await one(before + screen)
        before = '\n'
      }
    }
    await forEachTarget(targets, { verb: 'view', changes: false, act, one, several }, { flags: input.flags, context })
  },
}
