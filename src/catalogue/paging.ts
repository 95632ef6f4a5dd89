/** Page sizes (gaps.md, Paging), used by client and sandbox. */

/** Limits of `page_size`, and the service's default. */
export const pageSizes = { smallest: 25, largest: 500, unsaid: 100 } as const

/** Page size of skyctl's requests by default: the largest, for as few requests as possible. */
export const defaultPageSize: number = pageSizes.largest
