#!/usr/bin/env bash
# A secret for one-time passwords in groups of four, as services show it, and the short one of most documents.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact otpauth@9.5.2 speakeasy@2.0.0 totp-generator@2.0.1 otplib@13.5.0 >>install.log
program <<'JS'
import { Secret, TOTP } from 'otpauth'
import { generateSync } from 'otplib'
import speakeasy from 'speakeasy'
import { TOTP as Generator } from 'totp-generator'
const seconds = 1_700_000_000
const libraries = {
  otpauth: (secret) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: seconds * 1000 }),
  speakeasy: (secret) => speakeasy.totp({ secret, encoding: 'base32', time: seconds }),
  'totp-generator': async (secret) => (await Generator.generate(secret, { timestamp: seconds * 1000 })).otp,
  otplib: (secret) => generateSync({ secret, epoch: seconds }),
}
for (const secret of ['JBSWY3DPEHPK3PXP', 'JBSW Y3DP EHPK 3PXP'])
  for (const [name, generate] of Object.entries(libraries)) {
    const code = await (async () => generate(secret))().catch((error) => error.message)
    console.log(`${secret} ${name}: ${code}`)
  }
JS
expect 'with blanks, speakeasy returns another code without an error; totp-generator and otplib refuse; otplib 13 refuses 80 bits' <<'TEXT'
JBSWY3DPEHPK3PXP otpauth: 324550
JBSWY3DPEHPK3PXP speakeasy: 324550
JBSWY3DPEHPK3PXP totp-generator: 324550
JBSWY3DPEHPK3PXP otplib: Secret must be at least 16 bytes (128 bits), got 10 bytes
JBSW Y3DP EHPK 3PXP otpauth: 324550
JBSW Y3DP EHPK 3PXP speakeasy: 035672
JBSW Y3DP EHPK 3PXP totp-generator: Invalid base32 character in key
JBSW Y3DP EHPK 3PXP otplib: Invalid Base32 string: Unknown letter " ". Allowed: ABCDEFGHIJKLMNOPQRSTUVWXYZ234567
TEXT
