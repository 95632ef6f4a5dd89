/** Returns the reason why a firewall label is invalid (api.md, Firewall label rules); undefined if it is valid. */
export function firewallLabelFault(label: string): string | undefined {
  if (label.length < 3 || label.length > 32) return 'Must be 3-32 characters'
  if (!/^[a-z0-9._-]+$/i.test(label)) return 'Must contain only letters, digits, hyphens, underscores and periods'
  if (!/^[a-z0-9].*[a-z0-9]$/i.test(label)) return 'Must begin and end with a letter or a digit'
  const doubled = /--|__|\.\./.exec(label)?.[0]
  return doubled === undefined ? undefined : `Must not contain ${doubled}`
}
