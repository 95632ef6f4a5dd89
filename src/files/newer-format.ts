/**
 * Files of newer versions. Unknown fields are no reason to reject a file, and stay in it. A version that writes what older
 * ones would misread gives the file a higher format number; then they reject it, and never rewrite or delete it.
 */
import { Problem } from '../errors'

/** Reports whether a format number is higher than the newest one that this version knows. */
export function isNewer(format: unknown, newest = 1): boolean {
  return typeof format === 'number' && format > newest
}

/** Creates the problem; `other` is what the user can do instead of an update. */
export function newerFile(path: string, other = 'name another file'): Problem {
  return new Problem('local', `${path} was written by a newer version of skyctl`, {
    hint: `Update skyctl, or ${other}`,
  })
}
