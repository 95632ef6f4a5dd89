/** Changes of tokens. */
import { tokens } from '../../catalogue/tokens'
import type { Action, RecordedAction } from '../action'
import { tokenResource } from '../resources/token'
import { refuseOwnToken } from '../token-in-use'

/** Creation of a token; only its command makes one, since its text is shown once. */
export const createToken: RecordedAction = {
  operation: tokens.create,
  resource: tokenResource,
  undo: { by: 'hand', advice: 'To reverse it: skyctl tokens revoke {id}' },
}

export const updateToken: Action<typeof tokens.update> = {
  operation: tokens.update,
  resource: tokenResource,
  undo: { by: 'restoring', view: tokens.view, does: 'tokens update' },
}

export const revokeToken: Action<typeof tokens.revoke> = {
  operation: tokens.revoke,
  resource: tokenResource,
  safety: { guard: (_body, step) => refuseOwnToken(step) },
  undo: { by: 'hand', advice: 'The token is invalid for good. Create another: skyctl tokens create' },
}
