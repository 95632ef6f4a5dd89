/** Comparison of token scopes. Apart from ./scopes, which would slow down help. */

export const fullScope = '*'

/** Reduces scopes to the smallest set that covers them all, without duplicates. */
export function leastScopes(needed: Iterable<string>): string[] {
  const all = [...new Set(needed)]
  return all.filter(
    (scope) =>
      !covers(
        all.filter((other) => other !== scope),
        scope,
      ),
  )
}

/** Reports whether scopes cover one. `read_write` covers `read_only`, and that `ips:read`; `*` covers all. */
export function covers(scopes: readonly string[], needed: string): boolean {
  const [resource, access] = needed.split(':')
  return scopes.some((scope) => {
    if (scope === fullScope || scope === needed || scope === `${resource}:read_write`) return true
    return access === 'read' && scope === `${resource}:read_only`
  })
}
