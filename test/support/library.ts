/** Fixtures for programs that use skyctl as a library, in this process. */
import type { AccountOptions, Problem } from '../../src/library'
import { openAccount } from '../../src/library'
import { test as base } from './skyctl'

interface Failure {
  code: string
  message: string
  hint?: string | undefined
}

export interface Library {
  /** Calls a method by its path, such as `volumes.create`. */
  call(path: string, ...args: readonly unknown[]): Promise<unknown>
  /** Calls a method; resolves to its outcome, or to its failure. */
  outcome(path: string, ...args: readonly unknown[]): Promise<string | Failure>
}

export const test = base.extend<{ library(options?: Partial<AccountOptions>): Library }>({
  library: async ({ env }, use) => {
    const accounts: ReturnType<typeof openAccount>[] = []
    await use(({ env: more, ...options } = {}) => {
      const account = openAccount({ ...options, env: { ...env, ...more } })
      accounts.push(account)
      const call = async (path: string, ...args: readonly unknown[]) => methodOf(account, path)(...args)
      const outcome = async (path: string, ...args: readonly unknown[]) => {
        try {
          const result = await call(path, ...args)
          return String(Reflect.get(Object(result), 'outcome'))
        } catch (error) {
          return failureOf(error)
        }
      }
      return { call, outcome }
    })
    await Promise.all(accounts.map((account) => account.close()))
  },
})

/** Returns what a program sees of a failure. */
export function failureOf(error: unknown): Failure {
  const { code, message, details } = error as Problem
  return { code, message, hint: details.hint }
}

function methodOf(account: object, path: string): (...args: readonly unknown[]) => unknown {
  const method = path.split('.').reduce((group: object, name) => Reflect.get(group, name), account)
  return method as (...args: readonly unknown[]) => unknown
}
