import { regions } from '../../catalogue/regions'
import { serve } from '../handler'
import { listing } from '../pages'
import { orNotFound } from '../refusal'

const asItIs = <T>(record: T): T => record

export const served = serve(
  regions,
  {
    list: {
      handle: (_, { world }) => listing(world.regions, asItIs),
    },
    availability: {
      handle: (_, { world }) => listing(world.availability, asItIs),
    },
    view: {
      handle: ({ regionId }, { world }) => orNotFound(world.regions.find(({ id }) => id === regionId)),
    },
    regionAvailability: {
      handle({ regionId }, { world }) {
        orNotFound(world.regions.find(({ id }) => id === regionId))
        return world.availability.filter(({ region }) => region === regionId)
      },
    },
  },
  { regionId: (text) => text },
)
