/** What of a request is a secret: it is sent, and never shown. */
import { isRecord } from './records'
import { isPrivateKey } from './ssh-keys'

/** Stands where a secret would. */
export const hidden = '[redacted]'

/** Of answers, codes and the like, as api.md names them. */
export const secretKeys = /^(.*token|.*secret|scratch|otp_code|tfa_code|response|.*private.*|.*password)$/i

/** A body as it may be shown: a placeholder under each of these keys, and for whatever holds a private key. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value === 'string') return isPrivateKey(value) ? hidden : value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? hidden : withoutSecrets(inner)]),
  )
}

const isSecret = (key: string, value: unknown) => value !== null && typeof value !== 'boolean' && secretKeys.test(key)
