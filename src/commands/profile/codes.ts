import type { RequestBody } from '../../engine/situation'
import { withoutBlanks } from '../../rules/profile'

/** The body with its one-time code as the service takes it. */
export function codeWithoutBlanks(body: RequestBody, field: 'tfa_code' | 'otp_code'): RequestBody {
  const code = body[field]
  return typeof code === 'string' ? { ...body, [field]: withoutBlanks(code) } : body
}
