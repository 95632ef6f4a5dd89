/** Data that an audit reads from an account. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import type { Firewall } from '../catalogue/firewalls'
import type { IpAddress } from '../catalogue/ips'
import type { Answer } from '../catalogue/operation'
import type { apps } from '../catalogue/profile/apps'
import type { devices } from '../catalogue/profile/devices'
import type { logins } from '../catalogue/profile/logins'
import type { Profile, profile } from '../catalogue/profile/profile'
import type { securityQuestions } from '../catalogue/profile/security-questions'
import type { sshkeys } from '../catalogue/profile/sshkeys'
import type { Token } from '../catalogue/tokens'
import type { Vlan } from '../catalogue/vlans'
import type { Volume } from '../catalogue/volumes'
import type { AssignedService } from '../firewall/named-services'
import type { NetworkNamer } from '../firewall/rule-text'

/** A firewall with its rules and the services that it protects. */
export interface Guard extends Pick<Firewall, 'id' | 'label' | 'status'> {
  rules: FirewallRules
  devices: readonly AssignedService[]
}

export interface AccountSnapshot {
  /** Milliseconds since the epoch. */
  now: number
  profile: Profile
  questions: Answer<typeof securityQuestions.list>['security_questions']
  apps: readonly Answer<typeof apps.list>[]
  logins: readonly Answer<typeof logins.list>[]
  sshkeys: readonly Answer<typeof sshkeys.list>[]
  devices: readonly Answer<typeof devices.list>[]
  /** null if the user is not restricted. */
  grants: Answer<typeof profile.grants>
  tokens: readonly Token[]
  volumes: readonly Volume[]
  firewalls: readonly Guard[]
  addresses: readonly IpAddress[]
  vlans: readonly Vlan[]
  /** Labels of instances by id, as far as volumes and firewalls have them: the API lists no instances. */
  computeLabels: ReadonlyMap<number, string>
  /** Reports whether these requests use the token. */
  isInUse(token: Token): boolean
  /** True if the token of these requests is in no context: a rotation would not store its successor. */
  isTokenUnstored: boolean
  /** Names networks as the user's file of networks does. */
  networkName: NetworkNamer
}

/** Known without a request. */
export type Always = 'now' | 'computeLabels' | 'isInUse' | 'isTokenUnstored' | 'networkName'

/** Parts that are read from the account; reading may fail. */
export type SnapshotPart = Exclude<keyof AccountSnapshot, Always>
