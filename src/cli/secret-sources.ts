/** Collects the secrets in the environment and on the command line. Other secrets are added where skyctl reads them. */
import type { Flags } from '../engine/command'
import type { Environment } from '../rules/environment'
import { escapeJson, escapeText } from '../rules/escape'
import { KnownSecrets, proxyVariables, secretKeys, withoutBlanks } from '../rules/secrets'

export function secretSources(env: Environment): KnownSecrets {
  const secrets = new KnownSecrets(escapeText, (text) => escapeJson(JSON.stringify(text).slice(1, -1)))
  secrets.learnCredential(env.SKYCTL_TOKEN)
  for (const name of proxyVariables) {
    const password = passwordIn(env[name] ?? '')
    if (password !== undefined) learnPassword(password, secrets)
  }
  return secrets
}

/** Adds the values of flags with the name of a secret: `--otp-code`, `--tfa-code`. */
export function learnFlags(flags: Flags, secrets: KnownSecrets): void {
  for (const [name, value] of Object.entries(flags)) {
    if (!secretKeys.test(name.replaceAll('-', '_'))) continue
    for (const one of [value].flat()) if (typeof one === 'string') learnCode(one, secrets)
  }
}

/** Adds a code as typed, and as sent: without blanks between its digits. */
function learnCode(code: string, secrets: KnownSecrets): void {
  secrets.learn(code)
  secrets.learn(withoutBlanks(code))
}

const passwordIn = (url: string) => /(?:[^/]*:\/\/)?[^:]*:(.*)@/s.exec(url)?.[1]

/** Adds a password as written, and as sent: decoded. */
function learnPassword(password: string, secrets: KnownSecrets): void {
  secrets.learnCredential(password)
  try {
    secrets.learnCredential(decodeURIComponent(password))
  } catch {
    // An invalid escape: the password is sent as written.
  }
}
