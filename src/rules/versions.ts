/** Semantic versions (semver.org): `1.2.3`, `1.3.0-rc.1`. */

/** Matches a version, also as the name of a tag: `v1.2.3`. */
const format = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/i

/** Returns the version without the `v` of a tag; undefined if it is not one. */
export function parseVersion(text: string): string | undefined {
  return format.test(text) ? text.replace(/^v/i, '') : undefined
}

/** Reports whether a version is older than another: `1.9.0` than `1.10.0`, and `2.0.0-rc.1` than `2.0.0`. */
export function isOlder(version: string, other: string): boolean {
  const [[a, early], [b, late]] = [partsOf(version), partsOf(other)]
  const order = compare(a, b)
  if (order !== 0) return order < 0
  return early !== undefined && (late === undefined || compare(early, late) < 0)
}

type Parts = readonly (string | number)[]

/** Returns the numbers of a version, and the parts of its pre-release. A short version, as of a range, counts as `.0`. */
function partsOf(version: string): [Parts, Parts | undefined] {
  const [, numbers = `${version}.0.0`, early] = format.exec(version) ?? []
  return [
    numbers.split('.').slice(0, 3).map(Number),
    early?.split('.').map((part) => (/^\d+$/.test(part) ? +part : part)),
  ]
}

/** Compares part by part: numbers before texts, and fewer parts before more (semver.org, 11). */
function compare(a: Parts, b: Parts): number {
  const at = a.findIndex((part, index) => part !== b[index])
  if (at < 0) return a.length - b.length
  const [one = 0, other] = [a[at], b[at]]
  if (other === undefined) return 1
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
  return one < other ? -1 : 1
}
