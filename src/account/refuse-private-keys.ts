import { Problem } from '../errors'
import { isPrivateKey } from '../rules/secrets'

/** Throws `usage` if a text, or one of a list, has a private key. No flag skips this check. */
export function refusePrivateKey(field: string, value: unknown): void {
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.some((text) => typeof text === 'string' && isPrivateKey(text))) return
  throw new Problem('usage', `${field}: that is a private SSH key; it was not sent anywhere`, {
    errors: [{ field, reason: 'Must be a public key' }],
    hint: texts.some((text) => /^PuTTY-User-Key-File/m.test(String(text)))
      ? 'Pass the public key, which puttygen FILE -L prints, and keep the private one secret'
      : 'Pass the public key, as in a file that ends with .pub, and keep the private one secret',
  })
}
