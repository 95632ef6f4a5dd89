/** The secrets that a run is given: by its environment and on its command line. Others are learnt where they are read. */
import type { Flags } from './engine/command'
import { safe, safeJson } from './output/safe'
import type { Environment } from './rules/environment'
import { KnownSecrets } from './rules/known-secrets'
import { secretKeys } from './rules/secrets'

export function secretsOf(env: Environment): KnownSecrets {
  const secrets = new KnownSecrets(safe, (text) => safeJson(JSON.stringify(text).slice(1, -1)))
  secrets.learnCredential(env.SKYCTL_TOKEN)
  for (const proxy of [env.https_proxy, env.HTTPS_PROXY]) {
    for (const password of passwordsIn(proxy ?? '')) secrets.learnCredential(password)
  }
  return secrets
}

/** Those of the flags that have the name of a secret: `--otp-code`, `--tfa-code`. */
export function learnFlags(flags: Flags, secrets: KnownSecrets): void {
  for (const [name, value] of Object.entries(flags)) {
    if (!secretKeys.test(name.replaceAll('-', '_'))) continue
    for (const one of [value].flat()) if (typeof one === 'string') secrets.learn(one)
  }
}

/** The password of a URL, as it is written there and as it is sent. */
function passwordsIn(url: string): string[] {
  const [, password] = /^(?:[^/]*:\/\/)?[^:]*:(.*)@/s.exec(url) ?? []
  if (password === undefined) return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
