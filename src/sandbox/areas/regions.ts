import { regions } from '../../catalogue/regions'
import { serve } from '../handler'
import { regionHandlers } from '../regions'

export const served = serve(regions, regionHandlers, { regionId: (text) => text })
