import { tokens } from '../../catalogue/tokens'
import type { Resource } from '../../engine/resource'

export const tokenResource: Resource = {
  noun: 'token',
  parameter: 'tokenId',
  list: tokens.list,
  view: tokens.view,
  values: 'tokens',
}
