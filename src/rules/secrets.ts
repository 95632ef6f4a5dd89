/** Redacts secrets in request bodies. */
import { isRecord } from './records'
import { isPrivateKey } from './ssh-keys'

/** Placeholder for a secret. */
export const hidden = '[redacted]'

/** Names of secret fields in requests and answers (api.md). */
export const secretKeys = /^(.*token|.*secret|scratch|otp_code|tfa_code|response|.*private.*|.*password)$/i

/** Returns a copy of a body for display. Values of secret fields and all private keys are replaced by a placeholder. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value === 'string') return isPrivateKey(value) ? hidden : value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? hidden : withoutSecrets(inner)]),
  )
}

const isSecret = (key: string, value: unknown) => value !== null && typeof value !== 'boolean' && secretKeys.test(key)
