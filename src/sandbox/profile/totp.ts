/** One-time codes of RFC 6238. */
import { Secret, TOTP } from 'otpauth'

/** A secret as people type it into an authenticator app (RFC 4648, base32). */
export function base32(secret: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(secret).buffer }).base32
}

/** Whether a code is current: SHA-1, 6 digits, 30 seconds, and one step of skew either way (gaps.md). */
export function isCurrent(code: string, secret: string, now: number): boolean {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  return totp.validate({ token: code, timestamp: now, window: 1 }) !== null
}
