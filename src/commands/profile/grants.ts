import { grants as grantsSchema, profile } from '../../catalogue/profile/profile'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { columnsFor } from '../../output/column'
import { isStructured } from '../../output/formats'
import { printMany, printOne } from '../../output/print'
import { isRecord } from '../../rules/records'

interface Row {
  /** Type of the granted resource: `global`, `volume`. */
  on: string
  id: unknown
  label: unknown
  permissions: unknown
}

const columns = columnsFor<Row>(['on', 'id', 'label', 'permissions'])

function rowsOf(grants: Record<string, unknown>): Row[] {
  const { global, ...entities } = grants
  const globals = Object.entries(isRecord(global) ? global : {}).map(([label, permissions]) => ({
    on: 'global',
    id: null,
    label,
    permissions,
  }))
  const others = Object.entries(entities).flatMap(([on, items]) =>
    (Array.isArray(items) ? items : []).map(({ id, label, permissions, ...more }) => ({
      on,
      id,
      label,
      permissions,
      ...more,
    })),
  )
  return [...globals, ...others]
}

export const viewGrants: Command = {
  name: 'grants',
  summary: profile.grants.summary,
  paged: true,
  operations: [profile.grants],
  details:
    'Shows what the user may do with the account, and with each resource that it can access. An unrestricted user has no ' +
    'grants: JSON is null.',
  flags: outputFlags,
  examples: [
    {
      what: 'May I add volumes?',
      line: "skyctl profile grants --query 'global.add_volumes' --json",
    },
  ],
  async run({ flags }, session) {
    const lines = !isStructured(session.ui.format) && flags.query === undefined
    const fields = lines ? columns.map(({ path }) => path) : Object.keys(grantsSchema.entries)
    const view = await viewOf({ fields, more: true, columns, key: 'label' }, flags, session)
    const client = await session.account.client()
    const grants = await client.call(profile.grants)
    if (grants === null) await session.ui.status('You are not restricted: you may do everything that the token allows')
    if (!lines) return printOne(grants, view, session.ui.stdout)
    if (grants !== null) await printMany(rowsOf(grants), view, session.ui.stdout)
  },
}
