/**
 * The operations of the API, typed by hand from api.md and gaps.md under the titles of api.md. Tests that cover each
 * operation read its row here. Client and sandbox share the catalogue, so only these rows can show a mistake in it.
 */
import type { Reply, Service } from '../sandbox/fixture'
import { addresses } from './addresses'
import { firewalls } from './firewalls'
import { profile } from './profile'
import { regions } from './regions'
import type { Row } from './row'
import { volumes } from './volumes'

export const parts = [profile, volumes, regions, firewalls, addresses]

const all = { ...profile.rows, ...volumes.rows, ...regions.rows, ...firewalls.rows, ...addresses.rows }

export type Title = keyof typeof all

export const operations: Readonly<Record<Title, Row>> = all

export const rows: readonly (readonly [title: string, row: Row])[] = Object.entries(all)

/** Method and path of the request that succeeds. */
export function lineOf({ line, at = [] }: Row): string {
  const values = [...at]
  return line.replace(/\{\w+\}/g, () => encodeURIComponent(String(values.shift())))
}

/** Prepares the world for a row and sends its request, with the owner's token by default, or with none. */
export async function perform(row: Row, service: Service, token?: string | null): Promise<Reply> {
  const body = (await row.arrange?.(service)) ?? row.send
  return service.call(lineOf(row), { ...(body && { body }), ...(token !== undefined && { token }) })
}
