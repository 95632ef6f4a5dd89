/** The secrets that a run is given: by its environment and on its command line. Others are learnt where they are read. */
import type { Flags } from './engine/command'
import { safe, safeJson } from './output/safe'
import type { Environment } from './rules/environment'
import { KnownSecrets } from './rules/known-secrets'
import { withoutBlanks } from './rules/profile'
import { secretKeys } from './rules/secrets'

export function secretsOf(env: Environment): KnownSecrets {
  const secrets = new KnownSecrets(safe, (text) => safeJson(JSON.stringify(text).slice(1, -1)))
  secrets.learnCredential(env.SKYCTL_TOKEN)
  for (const proxy of [env.https_proxy, env.HTTPS_PROXY]) {
    const password = passwordIn(proxy ?? '')
    if (password !== undefined) learnPassword(password, secrets)
  }
  return secrets
}

/** Those of the flags that have the name of a secret: `--otp-code`, `--tfa-code`. */
export function learnFlags(flags: Flags, secrets: KnownSecrets): void {
  for (const [name, value] of Object.entries(flags)) {
    if (!secretKeys.test(name.replaceAll('-', '_'))) continue
    for (const one of [value].flat()) if (typeof one === 'string') learnCode(one, secrets)
  }
}

/** As it is typed, and as it is sent: without the blanks between its digits. */
function learnCode(code: string, secrets: KnownSecrets): void {
  secrets.learn(code)
  secrets.learn(withoutBlanks(code))
}

const passwordIn = (url: string) => /(?:[^/]*:\/\/)?[^:]*:(.*)@/s.exec(url)?.[1]

/** As it is written, and as it is sent. */
function learnPassword(password: string, secrets: KnownSecrets): void {
  secrets.learnCredential(password)
  try {
    secrets.learnCredential(decodeURIComponent(password))
  } catch {
    // It is sent as it is written.
  }
}
