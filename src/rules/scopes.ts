/** Token scopes: `volumes:read_only`, separated by one space; `*` means all scopes (api.md, Authentication). */
import { didYouMean } from './nearest'
import { fullScope } from './scope-cover'

/** Resources that have scopes (gaps.md, Scopes). */
export const scopeResources = [
  'account',
  'child_account',
  'computes',
  'databases',
  'domains',
  'events',
  'firewall',
  'images',
  'ips',
  'monitor',
  'balancers',
  'object_storage',
  'scripts',
  'volumes',
  'vpc',
] as const

/** Scope for viewing an IPv6 range only (api.md, Authentication 4). */
const rangeScope = 'ips:read'

export const everyScope: readonly string[] = [
  fullScope,
  ...scopeResources.flatMap((resource) => [`${resource}:read_only`, `${resource}:read_write`]),
  rangeScope,
]

/** Words of the flag for the scopes of what reads the most. */
export const readingScopesFlag = ['--scopes-for', 'audit,overview'] as const

/** Reports whether a text means read access to everything, for which there is no scope. */
export const isReadOnly = (scope: string) => /^((\*|all|any):)?(ro|read([_-]?only)?)$/i.test(scope)

const anyScope = `(${everyScope.map((scope) => scope.replace('*', '\\*')).join('|')})`

/** Pattern of known scopes as one text, separated by spaces or commas. */
export const scopesPattern = `^${anyScope}([ ,]+${anyScope})*$`

/** Returns the reason why token scopes are malformed; undefined if they are well-formed. */
export function scopesFault(text: string): string | undefined {
  if (text === fullScope) return undefined
  for (const scope of text.split(' ')) {
    const fault = scopeFault(scope)
    if (fault !== undefined) return fault
  }
  return undefined
}

function scopeFault(scope: string): string | undefined {
  if (scope === '') return 'Must be scopes separated by one space, without one at the ends'
  if (scope.includes(',')) return 'Must be scopes separated by one space, not by commas'
  if (scope === fullScope) return '* is full scope and stands alone'
  if (scope === rangeScope || /^[\w-]+:(read_only|read_write)$/.test(scope)) return undefined
  return `${quoted(scope)} is not a scope: write it as volumes:read_only or volumes:read_write`
}

const knownResources = new Set<string>([...scopeResources, fullScope])

/** Returns an error for the first unknown resource in well-formed scopes; undefined if all are known. */
export function unknownScope(text: string): string | undefined {
  const resourceOf = (scope: string) => (scope === fullScope ? scope : scope.slice(0, scope.indexOf(':')))
  const scope = text.split(' ').find((one) => !knownResources.has(resourceOf(one)))
  if (scope === undefined) return undefined
  const hint = didYouMean(resourceOf(scope), scopeResources) ?? `Known are: ${scopeResources.join(', ')}`
  return `${quoted(scope)} is not a known scope. ${hint}`
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
