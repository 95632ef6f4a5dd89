import type { Item, Target } from '../../account/resource'
import { firewallResource, readDevices } from '../../account/resources/firewall'

import { type Firewall, firewallDevices, firewalls } from '../../catalogue/firewalls'
import { fieldPaths } from '../../catalogue/operation'
import { forEachTarget } from '../../engine/bulk'
import type { Command } from '../../engine/command'
import { viewOf } from '../../engine/printing'
import { isFailed, type TargetOutcome } from '../../engine/target-outcomes'
import { accountFor, readTargets } from '../../engine/targets'
import { viewCommand, viewTarget } from '../../engine/view-command'
import { shapedRules } from '../../firewall/rules'
import { wantsScreen } from '../../output/print'
import { networkNamer } from './network-names'
import { firewallColumns } from './resource'
import { firewallScreen } from './screen'

const records = viewCommand(firewallResource, {
  columns: firewallColumns,
  details:
    'A table also shows who gets in, as rules and policy decide together, and the services that it protects; for other ' +
    'formats, see "firewalls devices list".',
  examples: [{ what: 'Who can connect, rules and services on one screen', line: 'skyctl firewalls view web' }],
})

export const viewFirewall: Command = {
  ...records,
  operations: [firewalls.view, firewallDevices.list],
  records: firewalls.view,
  async run(input, session) {
    const shown = { fields: fieldPaths(firewallResource.view), more: true, columns: firewallColumns } as const
    const view = await viewOf(shown, input.flags, session)
    if (!wantsScreen(view)) return records.run(input, session)
    const targets = await readTargets(input, firewallResource, session)
    const account = await accountFor(targets, firewallResource, session.account)
    const act = async (target: Target) => {
      const record = await viewTarget(target, { resource: firewallResource, account, count: targets.length })
      const firewall = record as Item & Firewall
      const rules = shapedRules(firewall.rules)
      const [{ accessScreen }, devices, nameOf] = await Promise.all([
        import('./access-screen'),
        readDevices(firewall.id, session.account),
        networkNamer({ flags: input.flags, session }),
      ])
      const access = await accessScreen(firewall, devices, view)
      return firewallScreen({ ...firewall, rules, access }, devices, { ...view, nameOf })
    }
    const one = (screen: string) => session.ui.stdout.write(screen)
    const several = async (outcomes: AsyncIterable<TargetOutcome<Target, string>>) => {
      let before = ''
      for await (const outcome of outcomes) {
        if (isFailed(outcome)) continue
        await one(before + outcome.result)
        before = '\n'
      }
    }
    await forEachTarget(targets, { verb: 'view', changes: false, act, one, several }, { flags: input.flags, session })
  },
}
