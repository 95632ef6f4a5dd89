/** The steps of guided flows as commands of a shell script, with JSON and the embedded sandbox. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../support/process'

/** Prints the code for a secret, as an authenticator app does. */
const authenticator = `
const { Secret, TOTP } = require(${JSON.stringify(createRequire(import.meta.url).resolve('otpauth'))})
console.log(new TOTP({ secret: Secret.fromBase32(process.argv[2]) }).generate())
`

const script = `
set -eu
export SKYCTL_CONTEXT=sandbox SKYCTL_OUTPUT=json

field() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]])' "$1"; }

skyctl profile phone delete --yes || test $? -eq 5
skyctl profile phone send --iso-code DE --phone-number 0301234567
skyctl profile phone verify --otp-code "$(skyctl sandbox outbox -o tsv --query '[-1].code')"
skyctl profile view | field verified_phone_number

echo '{"security_questions": [
  {"question_id": 1, "response": "a"}, {"question_id": 2, "response": "b"}, {"question_id": 3, "response": "c"}
]}' | skyctl profile security-questions answer --body -

secret=$(skyctl profile tfa enable -o tsv --query secret)
skyctl profile tfa confirm --tfa-code "$(node "$HOME/authenticator.cjs" "$secret")" --scratch-file "$HOME/scratch"
skyctl profile view | field two_factor_auth

skyctl tokens create --label job --scopes-for 'volumes list' --expiry 1d --output-file "$HOME/job.token" | field scopes
! skyctl tokens list --expiring 2d --exit-code
skyctl tokens rotate job --yes --output-file "$HOME/job.token" | field label
skyctl tokens revoke job --yes
`

test('Every step of every flow has a command for scripts', async ({ shell, home }) => {
  writeFileSync(join(home, 'authenticator.cjs'), authenticator)
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const { exit, stdout, stderr } = await shell(script, { env })
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringMatching(/"code":"(?!not_found|mismatch)/) })
  const lines = stdout.split('\n').filter((line) => /^[a-z+]/.test(line))
  expect(lines).toEqual(['+49301234567', 'true', 'volumes:read_only', 'job'])
})
