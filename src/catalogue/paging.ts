/** How collections are paged (gaps.md, Paging): whoever asks for a page, and whoever answers, goes by these. */

/** The bounds of `page_size`, and what the service takes where nothing is said of it. */
export const pageSizes = { smallest: 25, largest: 500, unsaid: 100 } as const

/** What we ask for where nobody says how much is wanted: as few requests as can be. */
export const usualPageSize: number = pageSizes.largest
