import { eventHandlers, eventOperations } from '../events'
import { serve } from '../handler'

export const served = serve(eventOperations, eventHandlers)
