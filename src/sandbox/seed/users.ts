import { sandboxToken } from '../secrets'
import type { TokenRecord } from '../tokens'
import type { NewUser } from '../users'

export const users: readonly NewUser[] = [
  { id: 1, username: 'owner', payments: 180, ip_whitelist_enabled: true, timezone: 'Europe/Berlin' },
  {
    id: 2,
    username: 'restricted',
    payments: 24.99,
    grants: {
      global: { account_access: 'read_only' },
      volume: [
        { id: 3001, permissions: 'read_only' },
        { id: 3002, permissions: 'read_write' },
      ],
      compute: [
        { id: 1001, permissions: 'read_write' },
        { id: 1002, permissions: 'read_only' },
      ],
      balancer: [{ id: 2001, permissions: 'read_only' }],
      firewall: [
        { id: 4001, permissions: 'read_only' },
        { id: 4005, permissions: 'read_write' },
      ],
    },
  },
  { id: 3, username: 'proxy', proxy: true, authentication_type: 'idp' },
]

const token = (id: number, label: string, user: number, scopes: string, expiry: string | null = null): TokenRecord => ({
  id,
  label,
  token: sandboxToken(label),
  user,
  app: null,
  scopes,
  created: '2025-10-01T08:00:00',
  expiry,
})

export const tokens: readonly TokenRecord[] = [
  token(1, 'owner', 1, '*'),
  token(2, 'restricted', 2, '*'),
  token(3, 'proxy', 3, '*'),
  token(4, 'volumes-read-only', 1, 'volumes:read_only'),
  token(5, 'volumes-read-write', 1, 'volumes:read_write'),
  token(6, 'volumes-and-computes', 1, 'volumes:read_write computes:read_write'),
  token(7, 'account-read-only', 1, 'account:read_only'),
  token(8, 'expired', 1, '*', '2025-11-01T08:00:00'),
]
