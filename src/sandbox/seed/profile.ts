/** The profile area. What lapses with time is seeded relative to the moment in which the world begins. */
import { formatTimestamp } from '../../rules/times'
import { sandboxToken } from '../secrets'
import type { World } from '../world'

const day = 86_400_000

export function seedProfile(world: World): void {
  const at = (days: number) => formatTimestamp(world.clock.now() + days * day)
  seedApps(world, at)
  seedSessions(world, at)
  seedKeys(world)
  world.profile.answers.put({
    id: 2,
    answers: [1, 4, 15].map((question_id) => ({ question_id, response: `answer ${question_id}` })),
  })
}

type At = (days: number) => string

function seedApps({ profile: { apps }, tokens }: World, at: At): void {
  const app = (id: number, user: number, label: string, scopes: string, expiry: string | null) => {
    const created = '2025-09-12T14:05:00'
    const website = `https://${label}.example.net/`
    apps.put({ id, user, label, scopes, website, thumbnail_url: `${website}thumbnail.png`, created, expiry })
    const token = sandboxToken(`app ${label}`)
    tokens.put({ id: 9 + id, user, app: id, label: `app ${label}`, scopes, token, created, expiry })
  }
  app(1, 1, 'dashboard', 'account:read_write volumes:read_only', null)
  app(2, 1, 'backups', 'volumes:read_write', at(20))
  app(3, 2, 'status-page', 'account:read_only', null)
}

function seedSessions({ profile: { devices, logins } }: World, at: At): void {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15'
  const device = (id: number, user: number, user_agent: string, host: number, days: number) => {
    const seen = { last_remote_addr: `198.51.100.${host}`, last_authenticated: at(Math.min(-1, days + 3)) }
    devices.put({ id, user, user_agent, ...seen, created: at(days), expiry: at(days + 30) })
  }
  device(1, 1, firefox, 7, -4)
  device(2, 1, safari, 19, -21)
  device(3, 2, firefox, 33, -10)
  // Its session has expired.
  device(4, 1, safari, 20, -45)
  const login = (id: number, user: number, days: number, status: 'successful' | 'failed' = 'successful') =>
    logins.put({ id, user, datetime: at(days), ip: `198.51.100.${user * 10 + id}`, restricted: user === 2, status })
  // Older than what the history shows.
  login(1, 1, -120)
  login(2, 1, -45)
  login(3, 1, -21)
  login(4, 2, -10)
  login(5, 1, -4, 'failed')
  login(6, 1, -4)
}

function seedKeys({ profile: { sshkeys } }: World): void {
  const key = (id: number, user: number, label: string, data: string) =>
    sshkeys.put({ id, user, label, ssh_key: `ssh-ed25519 ${data} ${label}`, created: '2025-09-01T10:00:00' })
  key(1, 1, 'laptop', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA')
  key(2, 1, 'desktop', 'AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs')
  key(3, 2, 'restricted', 'AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc')
}
