/** What a real service would draw at random. Here it follows from a label, so that every sandbox repeats itself. */
import process from 'node:process'

/** Tokens of the sandbox begin with it, so that they are never taken for those of a real account, nor the reverse. */
const mark = 'facade00'

/** The token of a label: 64 lowercase hex characters, the same in every sandbox. */
export function sandboxToken(label: string): string {
  return mark + draw(label).toString('hex').slice(mark.length)
}

/** That of the label `owner`, with which every command on the context begins. */
export const ownerToken = 'facade003574f56a5f9ced99557831953a695858e67029058717c8d6a9c5b2a6'

export function isSandboxToken(text: string): boolean {
  return new RegExp(`^${mark}[0-9a-f]{56}$`).test(text)
}

/** Six digits, as a message carries them. */
export function sandboxCode(label: string): string {
  return String(draw(label).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** 20 bytes, the length that RFC 4226, section 4, recommends for a shared secret. */
export function sandboxSecret(label: string): Uint8Array {
  return draw(label).subarray(0, 20)
}

/** 16 hex characters in groups, to be written down. */
export function sandboxScratchCode(label: string): string {
  const hex = draw(label).toString('hex').slice(0, 16)
  return hex.replace(/.{4}(?=.)/g, '$&-')
}

function draw(label: string): Buffer {
  // Loaded here, since it takes 3 ms, and most requests draw nothing.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(`skyctl sandbox: ${label}`).digest()
}
