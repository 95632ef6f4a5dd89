import { createHash } from 'node:crypto'

/** Tokens of the sandbox begin with it, so that they are never taken for those of a real account, nor the reverse. */
const mark = 'facade00'

/** The token of a label: 64 lowercase hex characters, the same in every sandbox. */
export function sandboxToken(label: string): string {
  return mark + createHash('sha256').update(`skyctl sandbox: ${label}`).digest('hex').slice(mark.length)
}

export function isSandboxToken(text: string): boolean {
  return text.length === 64 && text.startsWith(mark) && /^[0-9a-f]+$/.test(text)
}
