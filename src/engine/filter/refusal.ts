import { Problem } from '../../errors'

/** Whether the service refuses what it was asked to filter by (gaps.md, Filtering). */
export function isFilterRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.details.errors ?? []).some(({ field }) => field === 'X-Filter')
}
