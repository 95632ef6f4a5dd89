/** One-time codes (RFC 6238). */
import { Secret, TOTP } from 'otpauth'

/** Encodes a secret for typing into an authenticator app (RFC 4648, base32). */
export function base32(secret: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(secret).buffer }).base32
}

/** Reports whether a code is valid now: SHA-1, 6 digits, 30 seconds, and one step of skew either way (gaps.md). */
export function isCurrent(code: string, secret: string, now: number): boolean {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  return totp.validate({ token: code, timestamp: now, window: 1 }) !== null
}
