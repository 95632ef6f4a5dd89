/** Whether a text holds a private key, in any of the forms that ssh-keygen, OpenSSL and PuTTY write. */
export function isPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File|SSH PRIVATE KEY FILE FORMAT/m.test(text)
}

/** The keys of a text such as an authorized_keys file: a line each, without comments and blank lines (sshd(8)). */
export function keyLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** What the service takes (gaps.md, SSH key types); the last one with a warning. */
const types = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ssh-dss',
]

export function sshKeyType(key: string): string {
  return key.split(' ', 1)[0] ?? ''
}

/** What tells a key from others, without its comment. */
export function sshKeyData(key: string): string {
  return key.trim().split(/\s+/, 2).join(' ')
}

/** How long the modulus is of a key of RSA (RFC 4253, section 6.6: type, exponent and modulus); undefined where it is none. */
export function rsaBits(key: string): number | undefined {
  const bytes = Buffer.from(key.split(' ', 2)[1] ?? '', 'base64')
  const fields: Buffer[] = []
  for (let at = 0; fields.length < 3; ) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    fields.push(bytes.subarray(at + 4, end))
    at = end
  }
  const [type, , modulus] = fields
  if (type?.toString() !== 'ssh-rsa' || modulus === undefined) return undefined
  const start = modulus.findIndex((byte) => byte !== 0)
  if (start < 0) return 0
  return (modulus.length - start - 1) * 8 + (modulus[start] ?? 0).toString(2).length
}

/**
 * What is wrong with a public key as a `.pub` file has it, `ssh-ed25519 AAAA… comment`; undefined where nothing is. The
 * key is not quoted: it may be a secret that was taken for one.
 */
export function sshKeyFault(key: string): string | undefined {
  if (isPrivateKey(key)) return 'Must be a public key; this is a private one'
  if (/[\r\n]/.test(key)) return 'Must be one line'
  const [type = '', data = ''] = key.split(' ', 2)
  if (!types.includes(type)) return `Must begin with one of: ${types.join(', ')}`
  return isDataOf(type, data) ? undefined : `Must hold the data of a key after ${type}`
}

/** The data of a key begins with its type, after the type's length in four bytes (RFC 4251, section 5, `string`). */
function isDataOf(type: string, data: string): boolean {
  const bytes = Buffer.from(data, 'base64')
  const head = Buffer.from(`\0\0\0${String.fromCharCode(type.length)}${type}`)
  const begins = bytes.subarray(0, head.length).equals(head)
  return begins && bytes.length > head.length && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
