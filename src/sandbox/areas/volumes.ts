import { volumes } from '../../catalogue/volumes'
import { serve } from '../handler'
import { volumeHandlers } from '../volumes'

export const served = serve(volumes, volumeHandlers)
