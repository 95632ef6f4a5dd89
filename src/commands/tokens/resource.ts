import { nameOf, type Resource } from '../../account/resource'
import { type Token, tokens } from '../../catalogue/tokens'

export const tokenResource: Resource = {
  noun: 'token',
  parameter: 'tokenId',
  list: tokens.list,
  view: tokens.view,
  values: 'tokens',
}

/** Returns `token "ci" (13)`, or only its id if the answer lacks the label. */
export const tokenName = (token: Token): string => nameOf(tokenResource, { id: token.id, record: { ...token } })
