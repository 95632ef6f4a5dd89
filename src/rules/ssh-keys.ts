/** Reports whether a text contains a private key in a format of ssh-keygen, OpenSSL or PuTTY. */
export function isPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File|SSH PRIVATE KEY FILE FORMAT/m.test(text)
}

/** Lists the keys of an authorized_keys file, one per line, without comments and blank lines (sshd(8)). */
export function keyLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** Key types that the service accepts (gaps.md, SSH key types); the last one causes a warning. */
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

/** Returns a key's type and data without its comment, which identifies the key. */
export function sshKeyData(key: string): string {
  return key.trim().split(/\s+/, 2).join(' ')
}

/** Returns the modulus length of an RSA key in bits (RFC 4253, section 6.6); undefined for other keys. */
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

/** Returns the reason why a text is no public key of any type; whether its type is accepted, the service decides. */
export function keyTextFault(key: string): string | undefined {
  const fault = lineFault(key)
  if (fault !== undefined) return fault
  const isKey = /^[a-z][\w@.-]* [A-Za-z0-9+/]+={0,2}( |$)/.test(key)
  return isKey ? undefined : 'Must be a type and the data of a key, as in ssh-ed25519 AAAA...'
}

function lineFault(key: string): string | undefined {
  if (isPrivateKey(key)) return 'Must be a public key; this is a private one'
  return /[\r\n]/.test(key) ? 'Must be one line' : undefined
}

/**
 * Returns the reason why the service refuses a public key line, `ssh-ed25519 AAAA… comment`; undefined if it accepts it.
 * The key is never quoted, because it may be a secret passed by mistake.
 */
export function sshKeyFault(key: string): string | undefined {
  const fault = lineFault(key)
  if (fault !== undefined) return fault
  const [type = '', data = ''] = key.split(' ', 2)
  if (!types.includes(type)) return `Must begin with one of: ${types.join(', ')}`
  return isDataOf(type, data) ? undefined : `Must hold the data of a key after ${type}`
}

/** Reports whether key data begins with its type after a four-byte length (RFC 4251, section 5, `string`). */
function isDataOf(type: string, data: string): boolean {
  const bytes = Buffer.from(data, 'base64')
  const head = Buffer.from(`\0\0\0${String.fromCharCode(type.length)}${type}`)
  const begins = bytes.subarray(0, head.length).equals(head)
  return begins && bytes.length > head.length && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
