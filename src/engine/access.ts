/** What a token and a user need for a command, as its page says it. */
import type { Operation } from '../catalogue/operation'
import { leastScopes } from '../rules/scopes'
import type { Command } from './command'

/** `Scopes: volumes:read_write; the user needs the grant add_volumes`; undefined where nothing is sent. */
function accessLine(operations: readonly Operation[] = []): string | undefined {
  if (operations.length === 0) return undefined
  const scopes = leastScopes(operations.flatMap((operation) => operation.scopes))
  const needs = [...new Set(operations.flatMap((operation) => operation.needs ?? []))]
  const user = needs.length > 0 ? [`the user needs ${needs.join(' and ')}`] : []
  return `Scopes: ${[scopes.join(' and ') || none(operations), ...user].join('; ')}`
}

function none(operations: readonly Operation[]): string {
  return operations.every(({ open }) => open) ? 'none; no token is needed' : 'none; any token will do'
}

/** Paragraphs below the summary. */
export function paragraphsOf({ details, operations }: Pick<Command, 'details' | 'operations'>): string[] {
  return [details, accessLine(operations)].filter((text) => text !== undefined)
}
