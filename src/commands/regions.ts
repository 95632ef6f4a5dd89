import { readRegions } from '../account/regions'
import { type Answer, type AnswerRecord, fieldPaths, type Operation } from '../catalogue/operation'
import { regions } from '../catalogue/regions'
import { forEachTarget } from '../engine/bulk'
import type { Command, CommandGroup } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { concurrencyFlag, listFlags, outputFlags } from '../engine/flags'
import { listCommand, printPages } from '../engine/list'
import { printOutcomes } from '../engine/print-outcomes'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { printNothingToDo, readNames } from '../engine/targets'
import { isGone, Problem } from '../errors'
import { columnsFor } from '../output/column'
import { printOne } from '../output/print'
import { isRegionId } from '../rules/ids'
import { didYouMean } from '../rules/nearest'

const regionColumns = columnsFor<AnswerRecord<typeof regions.list>>([
  'id',
  'label',
  'country',
  'status',
  'capabilities',
])
const availabilityColumns = columnsFor<AnswerRecord<typeof regions.availability>>(['region', 'plan', 'available'])

function checkId(regionId: string): void {
  if (isRegionId(regionId)) return
  throw new Problem('usage', `"${regionId}" is not a region id: letters, digits and single hyphens, as in us-east`)
}

/** Reads one region; adds similar names to the service's "not found". */
async function ofRegion<O extends Operation>(operation: O, regionId: string, session: Session): Promise<Answer<O>> {
  const client = await session.account.client({ isPublic: true })
  try {
    return await client.call(operation, { path: { regionId } })
  } catch (error) {
    if (!isGone(error)) throw error
    const hint = didYouMean(regionId, await readRegions(session.account).catch(() => [])) ?? 'See skyctl regions list'
    throw error.with({ message: `region "${regionId}" not found`, hint })
  }
}

const view: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: regions.view.summary,
  paged: true,
  operations: [regions.view],
  records: regions.view,
  arguments: [{ name: 'region', description: 'Region ID; several or - for stdin', many: true, values: 'regions' }],
  flags: [concurrencyFlag, ...outputFlags],
  examples: [{ what: 'Capabilities of a region', line: 'skyctl regions view eu-west --columns id,capabilities' }],
  async run(input, session) {
    const printed = { fields: fieldPaths(regions.view), more: true, columns: regionColumns } as const
    const shown = await viewOf(printed, input.flags, session)
    const names = await readNames(input, session)
    if (names.length === 0) await printNothingToDo('region', session)
    names.forEach(checkId)
    await forEachTarget(
      names.map((id) => ({ input: id, id })),
      {
        verb: 'view',
        changes: false,
        act: ({ input }) => ofRegion(regions.view, input, session),
        one: (region) => printOne(region, shown, session.ui.stdout),
        several: (outcomes) => printOutcomes(outcomes, { view: shown, session }),
      },
      { flags: input.flags, session },
    )
  },
}

const plans = { columns: availabilityColumns, plural: 'plans', key: 'plan' } as const

const availability: Command = {
  name: 'availability',
  summary: regions.availability.summary,
  paged: true,
  operations: [regions.availability, regions.regionAvailability],
  details: 'The API reports some premium and GPU plans, in some regions.',
  records: regions.availability,
  arguments: [{ name: 'region', description: 'Only this region', optional: true, values: 'regions' }],
  flags: listFlags('available=true'),
  examples: [
    {
      what: 'Available plans in a region',
      line: 'skyctl regions availability us-east --filter available=true',
    },
  ],
  async run({ arguments: [regionId], flags }, session) {
    if (regionId === undefined) {
      await printPages(regions.availability, plans, { flags, session })
      return
    }
    checkId(regionId)
    const rows = async function* () {
      yield await ofRegion(regions.regionAvailability, regionId, session)
    }
    await printPages(regions.regionAvailability, plans, { flags, session, pages: rows() })
  },
}

const group: CommandGroup = {
  name: 'regions',
  aliases: ['region'],
  summary: 'Regions, their capabilities and available plans',
  commands: eagerCommands(
    listCommand(regions.list, {
      columns: regionColumns,
      plural: 'regions',
      test: 'country=us',
      details: 'Not every service is in every region: see the capabilities.',
      examples: [
        { what: 'Regions that have block storage', line: "skyctl regions list --filter 'capabilities=Block Storage'" },
      ],
    }),
    view,
    availability,
  ),
}

export default group
