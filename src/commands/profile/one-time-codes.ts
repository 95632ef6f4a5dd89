import type { RequestBody } from '../../account/change-context'
import { withoutBlanks } from '../../rules/secrets'

/** Returns the body with its one-time code in the API's format. */
export function codeWithoutBlanks(body: RequestBody, field: 'tfa_code' | 'otp_code'): RequestBody {
  const code = body[field]
  return typeof code === 'string' ? { ...body, [field]: withoutBlanks(code) } : body
}
