/** Reports whether a text is a full domain name, valid for reverse DNS (RFC 1035, 2.3.1 and 2.3.4; RFC 1123, 2.1). */
export function isDomainName(text: string): boolean {
  if (text.length > 253) return false
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
}

/** Returns the error message for an invalid domain name; undefined if it is valid. */
export const domainNameFault = (text: string) =>
  isDomainName(text)
    ? undefined
    : { reason: `"${text}" is not a domain name`, hint: 'Write it in full, as in mail.example.net' }
