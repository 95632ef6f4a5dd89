/** Changes of tokens. */
import { tokens } from '../../catalogue/tokens'
import type { Action } from '../action'
import { tokenResource } from '../resources/token'

export const updateToken: Action<typeof tokens.update> = { operation: tokens.update, resource: tokenResource }
export const revokeToken: Action<typeof tokens.revoke> = { operation: tokens.revoke, resource: tokenResource }
