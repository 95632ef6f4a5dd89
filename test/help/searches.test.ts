/** Searches that administrators type, with other tools in mind, and the first result of each. */
import { describe, expect, test } from 'vitest'
import { findPages, pagesOf, withoutFillers } from '../../src/commands/help/find'
import { program } from '../../src/commands/index'
import { loadTree, withDescendants } from '../../src/engine/command-nodes'
import { runSkyctl } from '../support/run'

const rows: readonly (readonly [search: string, first: string])[] = [
  ['copy firewall', 'skyctl firewalls rules list web -o yaml | skyctl firewalls create --label web-2 --file -'],
  ['clone firewall', 'skyctl firewalls rules list web -o yaml | skyctl firewalls create --label web-2 --file -'],
  ['tag protected', 'skyctl volumes update'],
  ['protect a volume', 'skyctl volumes update data-1 database --add-tag protected'],
  ['backup', 'skyctl volumes clone data-1 --label data-1-$(date +%F) --wait'],
  ['snapshot', 'skyctl volumes clone'],
  ['who can connect', 'skyctl firewalls view web'],
  ['ssh access', 'skyctl firewalls test web --port 22 --from 198.51.100.7'],
  ['invoice', 'skyctl audit'],
  ['cost', 'skyctl audit'],
  ['clone', 'skyctl volumes clone'],
  ['cron', 'skyctl firewalls close --expired'],
  ['nightly', 'skyctl audit --fail-on high'],
  ['nightly drift', 'skyctl plan account/ --drift --exit-code'],
  ['nightly clone', 'skyctl volumes clone data-1 --label data-1-$(date +%F) --wait'],
  ['rotate token', 'skyctl tokens rotate'],
  ['undo resize', 'skyctl volumes resize'],
  ['shrink volume', 'skyctl volumes resize'],
  ['grow disk', 'skyctl volumes resize'],
  ['rename volume', 'skyctl volumes update data-2 --label archive'],
  ['delete all volumes', 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes'],
  ['delete by tag', 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes'],
  ['move ip', 'skyctl ips assign'],
  ['ptr', 'skyctl ips rdns'],
  ['failover', 'skyctl ips share'],
  ['floating ip', 'skyctl ips list'],
  ['open port', 'skyctl firewalls open'],
  ['close port', 'skyctl firewalls close'],
  ['locked out', 'skyctl help lockout'],
  ['whitelist', 'skyctl firewalls open'],
  ['change history', 'skyctl history list'],
  ['audit log', 'skyctl history list'],
  ['audit', 'skyctl audit'],
  ['drift', 'skyctl plan account/ --drift --exit-code'],
  ['terraform', 'skyctl plan'],
  ['import', 'skyctl export'],
  ['github actions', 'skyctl apply account/ --yes'],
  ['revoke token', 'skyctl tokens revoke'],
  ['2fa', 'skyctl profile tfa setup'],
  ['login', 'skyctl auth login'],
  ['login history', 'skyctl profile logins list'],
  ['switch account', 'skyctl context use'],
  ['timezone', 'skyctl profile update --email me@example.net --timezone UTC'],
  ['ssh key', 'skyctl profile sshkeys list'],
  ['private network', 'skyctl vlans list'],
  ['proxy', 'skyctl help environment'],
  ['slow', 'skyctl doctor'],
  ['mock', 'skyctl sandbox start'],
  ['excel', 'skyctl volumes list -o csv --columns label,size'],
  ['parallel', 'skyctl help bulk'],
  ['exit code', 'skyctl help exit-codes'],
  ['update skyctl', 'skyctl version'],
  ['trace', 'skyctl help environment'],
  ['attach disk', 'skyctl volumes attach'],
  ['attach firewall', 'skyctl firewalls devices add'],
  ['unattached volumes', "skyctl volumes list --filter compute_id=none --filter 'created>30d'"],
  ['unused', 'skyctl audit'],
  ['restore rules', 'skyctl firewalls rules undo'],
  ['roll back', 'skyctl history undo'],
  ['load balancer', 'skyctl firewalls devices add'],
  ['apps', 'skyctl profile apps list'],
  ['resize disk', 'skyctl volumes resize'],
  ['who changed', 'skyctl history list'],
]

const pages = pagesOf(withDescendants(await loadTree(program)))

test.for(rows)('"help find %s" finds %s first', ([search, first]) => {
  const { pages: results, isComplete } = findPages(withoutFillers(search.split(' ')), pages)
  expect({ first: results[0]?.command, isComplete }).toEqual({ first, isComplete: true })
})

describe('Examples', () => {
  test('are at most five of the results, and none hides its command', () => {
    const commands = new Set(pages.flatMap(({ command, isExample }) => (isExample ? [] : [command])))
    for (const word of ['token', 'volume', 'firewall']) {
      const results = findPages([word], pages).pages.map(({ command }) => command)
      expect(results.filter((command) => !commands.has(command)).length).toBeLessThanOrEqual(5)
      expect(commands.has(results[0] ?? '')).toBe(true)
    }
  })

  test.for([60, 80])('that no table of %i columns can show look as they do in help', async (columns) => {
    const { stdout } = await runSkyctl('help find nightly drift', { columns })
    expect(stdout.replaceAll(/\n# |\n/g, ' ')).toBe(
      '# A nightly check for drift, as docs/recipes.md has it for cron and CI skyctl plan account/ --drift --exit-code ' +
        'Preview the changes that would match the files skyctl plan ',
    )
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
  })
})
