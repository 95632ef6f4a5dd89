/** Fixtures for audit tests: an account without findings, files of exceptions, and readers of findings. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Severity } from '../../src/audit/check'
import type { AuditCode } from '../../src/audit/checks'
import { type Lists, spotless } from './audited-world'
import { openProxy } from './proxy'
import { test as base } from './skyctl'

interface Audited {
  /** Signs in with a token of an account without findings. */
  clean: undefined
  /** Returns the environment of a service that answers with these lists, and otherwise as the sandbox. */
  listing(lists: Lists | undefined): Promise<Record<string, string>>
  /** Writes a file below the home and returns its path. */
  file(name: string, text: string): string
}

export const test = base.extend<Audited>({
  clean: async ({ world, env }, use) => {
    env.SKYCTL_TOKEN = spotless(world)
    await use(undefined)
  },
  listing: async ({ sandbox }, use) =>
    use(async (lists) => {
      if (!lists) return {}
      const { baseUrl, close } = await openProxy(sandbox.baseUrl, {
        answer({ path }) {
          const data = lists[path.split('?')[0] ?? '']
          return data && { data, page: 1, pages: 1, results: data.length }
        },
      })
      onTestFinished(close)
      return { SKYCTL_BASE_URL: baseUrl }
    }),
  file: async ({ home }, use) =>
    use((name, text) => {
      writeFileSync(join(home, name), text)
      return join(home, name)
    }),
})

export interface Finding {
  code: AuditCode
  severity: Severity
  object: { kind: string; id: number | string | null; label: string | null; part: string | null }
  reason: string
  command: string
  alternatives: string[]
}

/** Returns the object of a finding as text: `firewall 4001 tcp/22`. */
export const objectOf = ({ object: { kind, id, part } }: Finding) => `${kind} ${id}${part === null ? '' : ` ${part}`}`

export const findingsOf = (stdout: string): Finding[] => JSON.parse(stdout).findings
