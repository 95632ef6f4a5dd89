/** What an account has, as far as an audit looks at it. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import type { Firewall, FirewallDevice } from '../catalogue/firewalls'
import type { IpAddress } from '../catalogue/ips'
import type { Answer } from '../catalogue/operation'
import type { apps } from '../catalogue/profile/apps'
import type { logins } from '../catalogue/profile/logins'
import type { Profile } from '../catalogue/profile/profile'
import type { securityQuestions } from '../catalogue/profile/security-questions'
import type { sshkeys } from '../catalogue/profile/sshkeys'
import type { Token } from '../catalogue/tokens'
import type { Volume } from '../catalogue/volumes'

/** A firewall with what it protects. */
export interface Guard extends Pick<Firewall, 'id' | 'label' | 'status'> {
  rules: FirewallRules
  devices: readonly FirewallDevice[]
}

export interface World {
  /** Milliseconds since the epoch. */
  now: number
  profile: Profile
  questions: Answer<typeof securityQuestions.list>['security_questions']
  apps: readonly Answer<typeof apps.list>[]
  logins: readonly Answer<typeof logins.list>[]
  sshkeys: readonly Answer<typeof sshkeys.list>[]
  tokens: readonly Token[]
  volumes: readonly Volume[]
  firewalls: readonly Guard[]
  addresses: readonly IpAddress[]
  /** Labels of instances by their ids, as far as volumes and firewalls tell them: the API lists no instances. */
  computeLabels: ReadonlyMap<number, string>
}

/** What may be read of an account, and may fail to be. */
export type Part = Exclude<keyof World, 'now' | 'computeLabels'>
