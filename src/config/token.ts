import { Problem } from '../errors'
import { isPrivateKey } from '../rules/secrets'

/** Token syntax (RFC 6750, section 2.1, b64token). */
const alphabet = /^[A-Za-z0-9\-._~+/]+=*$/

/** Maximum length, far above that of any token; servers still accept such a header. */
const MAX_LENGTH = 4096

/** Validates a token from a person, a file or a pipe, without one newline at its end. Errors never quote it. */
export function parseToken(text: string): string {
  const token = text.replace(/\r?\n$/, '')
  if (isPrivateKey(token)) {
    throw new Problem('usage', 'that is a private SSH key, not a token: it was not stored and not sent anywhere')
  }
  if (token === '') throw new Problem('usage', 'the token is empty')
  if (token.length > MAX_LENGTH) throw new Problem('usage', `the token is longer than ${MAX_LENGTH} characters`)
  // A line of an environment file, or of what `sandbox start` prints.
  if (/^(export )?SKYCTL_TOKEN=/.test(token))
    throw new Problem('usage', 'the token begins with the name of its variable. Leave out SKYCTL_TOKEN=')
  if (!alphabet.test(token)) {
    throw new Problem('usage', 'the token holds a character that no token has (letters, digits and -._~+/= only)')
  }
  return token
}
