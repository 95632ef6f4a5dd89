/** Describes the token scopes and grants that a command needs, for its help page. */
import type { Operation } from '../catalogue/operation'
import { leastScopes } from '../rules/scopes'
import type { Command } from './command'

/**
 * Returns `Scopes: volumes:read_write; the user needs the grant add_volumes`; undefined for a command without requests.
 */
function accessLine(operations: readonly Operation[] = []): string | undefined {
  if (operations.length === 0) return undefined
  const scopes = leastScopes(operations.flatMap((operation) => operation.scopes))
  const needs = [...new Set(operations.flatMap((operation) => operation.needs ?? []))]
  const user = needs.length > 0 ? [`the user needs ${needs.join(' and ')}`] : []
  return `Scopes: ${[scopes.join(' and ') || none(operations), ...user].join('; ')}`
}

function none(operations: readonly Operation[]): string {
  return operations.every(({ isPublic }) => isPublic) ? 'none; no token is needed' : 'none; any token will do'
}

/** Returns the paragraphs below the summary in help. */
export function paragraphsOf({ details, operations }: Pick<Command, 'details' | 'operations'>): string[] {
  return [details, accessLine(operations)].filter((text) => text !== undefined)
}
