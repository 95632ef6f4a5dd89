import { isPrivateKey } from './secrets'

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

/** Returns the type that the data of a key names (RFC 4253, section 6.6), or the first word if there is no such data. */
export function sshKeyType(key: string): string {
  const [word = '', data = ''] = key.trim().split(/\s+/, 2)
  return fieldsOf(data, 1)[0]?.toString() || word
}

/** Returns a key's type and data without its comment, which identifies the key. */
export function sshKeyData(key: string): string {
  return key.trim().split(/\s+/, 2).join(' ')
}

/** Returns the modulus length of an RSA key in bits (RFC 4253, section 6.6); undefined for other keys. */
export function rsaBits(key: string): number | undefined {
  const [type, , modulus] = fieldsOf(key.trim().split(/\s+/, 2)[1] ?? '', 3)
  if (type?.toString() !== 'ssh-rsa' || modulus === undefined) return undefined
  const start = modulus.findIndex((byte) => byte !== 0)
  if (start < 0) return 0
  return (modulus.length - start - 1) * 8 + (modulus[start] ?? 0).toString(2).length
}

/** Returns the first fields of key data, each of which has its length in four bytes before it; fewer if it is cut. */
function fieldsOf(data: string, count: number): Buffer[] {
  const bytes = Buffer.from(data, 'base64')
  const fields: Buffer[] = []
  for (let at = 0; fields.length < count && at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    fields.push(bytes.subarray(at + 4, end))
    at = end
  }
  return fields
}

/** ssh-keygen 9 refuses Ed25519 keys of OpenSSL: the data of RFC 8709 is that of OpenSSH after its type. */
const ed25519Line =
  "echo ssh-ed25519 $( (printf '\\0\\0\\0\\013ssh-ed25519\\0\\0\\0 '; openssl pkey -pubin -in FILE -outform DER | tail -c 32) | base64)"

/** Formats of public keys that are no line of OpenSSH, and the command that prints one from a file in them. */
const otherFormats: readonly (readonly [RegExp, string])[] = [
  [/^---- BEGIN SSH2 PUBLIC KEY ----/m, 'ssh-keygen -i -f FILE'],
  // The object identifier of Ed25519, in base64 (RFC 8410).
  [/^-----BEGIN PUBLIC KEY-----\s+MCowBQYDK2VwAyEA/m, ed25519Line],
  [/^-----BEGIN PUBLIC KEY-----/m, 'ssh-keygen -i -m PKCS8 -f FILE'],
  [/^-----BEGIN RSA PUBLIC KEY-----/m, 'ssh-keygen -i -m PEM -f FILE'],
]

/** Returns the reason why a text in another format has no key lines, with the command that prints one. */
export function otherFormatFault(text: string): string | undefined {
  const other = otherFormats.find(([begin]) => begin.test(text))
  return other && `Must be a key of one line. This prints it: ${other[1]}`
}

/** A type, data and a comment, with any blanks between them. */
const keyParts = /^([a-z][\w@.-]*)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+(.*))?$/

/**
 * Returns the reason why a text is no public key file; whether its type is accepted, the service decides. Like
 * ssh-keygen, it accepts comment lines, blank lines, any blanks between the parts, and the line ends of Windows.
 */
export function keyTextFault(text: string): string | undefined {
  if (isPrivateKey(text)) return /^PuTTY-User-Key-File/m.test(text) ? puttyFault : privateFault
  const formatFault = otherFormatFault(text)
  if (formatFault !== undefined) return formatFault
  const [line = '', ...more] = keyLines(text)
  if (more.length > 0) return `Must be one key, not ${more.length + 1}: each key has a label of its own`
  if (keyParts.test(line)) return undefined
  return isKeyAfterOptions(line)
    ? 'Must begin with the type of the key: options before it are not kept'
    : 'Must be a type and the data of a key, as in ssh-ed25519 AAAA...'
}

const isKeyAfterOptions = (line: string) => types.some((type) => line.includes(` ${type} AAAA`))

/** Returns the key of a public key file as one line with single blanks; a text that is none is returned unchanged. */
export function keyLine(text: string): string {
  const [line = '', ...more] = keyLines(text)
  const [, type, data, comment] = (more.length === 0 && keyParts.exec(line)) || []
  if (type === undefined || data === undefined) return text
  return comment ? `${type} ${data} ${comment}` : `${type} ${data}`
}

/** Returns the comment of a key, which is its name for people; without one, its type and the end of its data. */
export function keyName(key: string): string {
  const [type = '', data = '', ...comment] = keyLine(key).split(' ')
  return comment.length > 0 ? comment.join(' ') : `${type} ...${data.slice(-8)}`
}

const privateFault = 'Must be a public key; this is a private one'
const puttyFault = `${privateFault}. This prints the public one: puttygen FILE -L`

function lineFault(key: string): string | undefined {
  if (isPrivateKey(key)) return privateFault
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
