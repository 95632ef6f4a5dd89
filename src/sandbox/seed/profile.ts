/** The profile area. What lapses with time is seeded relative to the moment in which the world begins. */
import { formatTimestamp } from '../../rules/times'
import type { AppRecord } from '../profile/apps'
import type { DeviceRecord } from '../profile/devices'
import type { LoginRecord } from '../profile/logins'
import { sandboxToken } from '../secrets'
import type { TokenRecord } from '../tokens'
import type { World } from '../world'

const day = 86_400_000

const at = (days: number, { clock }: World) => formatTimestamp(clock.now() + days * day)

export function builtInApps(world: World): AppRecord[] {
  const app = (id: number, user: number, label: string, scopes: string, expiry: string | null) => {
    const created = '2025-09-12T14:05:00'
    const website = `https://${label}.example.net/`
    return { id, user, label, scopes, website, thumbnail_url: `${website}thumbnail.png`, created, expiry }
  }
  return [
    app(1, 1, 'dashboard', 'account:read_write volumes:read_only', null),
    app(2, 1, 'backups', 'volumes:read_write', at(20, world)),
    app(3, 2, 'status-page', 'account:read_only', null),
  ]
}

/** With them the apps act for their users. */
export function appTokens(world: World): TokenRecord[] {
  return builtInApps(world).map(({ id, user, label, scopes, created, expiry }) => {
    const token = sandboxToken(`app ${label}`)
    return { id: 9 + id, user, app: id, label: `app ${label}`, scopes, token, created, expiry }
  })
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15'

export function builtInDevices(world: World): DeviceRecord[] {
  const device = (id: number, user: number, user_agent: string, host: number, days: number) => {
    const seen = { last_remote_addr: `198.51.100.${host}`, last_authenticated: at(Math.min(-1, days + 3), world) }
    return { id, user, user_agent, ...seen, created: at(days, world), expiry: at(days + 30, world) }
  }
  return [
    device(1, 1, firefox, 7, -4),
    device(2, 1, safari, 19, -21),
    device(3, 2, firefox, 33, -10),
    // Its session has expired.
    device(4, 1, safari, 20, -45),
  ]
}

export function builtInLogins(world: World): LoginRecord[] {
  const login = (id: number, user: number, days: number, status: LoginRecord['status'] = 'successful') => {
    const ip = `198.51.100.${user * 10 + id}`
    return { id, user, datetime: at(days, world), ip, restricted: user === 2, status }
  }
  return [
    // Older than what the history shows.
    login(1, 1, -120),
    login(2, 1, -45),
    login(3, 1, -21),
    login(4, 2, -10),
    login(5, 1, -4, 'failed'),
    login(6, 1, -4),
  ]
}

const key = (id: number, user: number, label: string, data: string) => ({
  id,
  user,
  label,
  ssh_key: `ssh-ed25519 ${data} ${label}`,
  created: '2025-09-01T10:00:00',
})

export const builtInKeys = [
  key(1, 1, 'laptop', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'),
  key(2, 1, 'desktop', 'AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'),
  key(3, 2, 'restricted', 'AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc'),
]

export const builtInAnswers = [
  { id: 2, answers: [1, 4, 15].map((question_id) => ({ question_id, response: `answer ${question_id}` })) },
]
