/** Tokens as objects that users name. */
import { type Token, tokens } from '../../catalogue/tokens'
import { nameOf, type Resource } from '../resource'

export const tokenResource: Resource = {
  noun: 'token',
  parameter: 'tokenId',
  list: tokens.list,
  view: tokens.view,
  values: 'tokens',
}

/** Returns `token "ci" (13)`, or only its id if the answer lacks the label. */
export const tokenName = (token: Token): string => nameOf(tokenResource, { id: token.id, record: { ...token } })
