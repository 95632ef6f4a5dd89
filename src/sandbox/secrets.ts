/** Secrets that a real service would choose at random. Here they derive from a label: all sandboxes are alike. */
import process from 'node:process'

/** Prefix of sandbox tokens. It tells them apart from tokens of real accounts. */
const mark = 'facade00'

/** Derives a token from a label: 64 lowercase hex characters, equal in every sandbox. */
export function sandboxToken(label: string): string {
  return mark + draw(label).toString('hex').slice(mark.length)
}

/** Token of the label `owner`, the default of commands in the sandbox context. */
export const ownerToken = 'facade003574f56a5f9ced99557831953a695858e67029058717c8d6a9c5b2a6'

export function isSandboxToken(text: string): boolean {
  return new RegExp(`^${mark}[0-9a-f]{56}$`).test(text)
}

/** Derives a six-digit code as sent in messages. */
export function sandboxCode(label: string): string {
  return String(draw(label).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** Derives a shared secret of 20 bytes, the length recommended by RFC 4226, section 4. */
export function sandboxSecret(label: string): Uint8Array {
  return draw(label).subarray(0, 20)
}

/** Derives a scratch code: 16 hex characters in groups. */
export function sandboxScratchCode(label: string): string {
  const hex = draw(label).toString('hex').slice(0, 16)
  return hex.replace(/.{4}(?=.)/g, '$&-')
}

function draw(label: string): Buffer {
  // Loaded on demand: it takes 3 ms, and most requests need no secret.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(`skyctl sandbox: ${label}`).digest()
}
