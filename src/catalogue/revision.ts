/** Revision of api.md that the catalogue implements ("Versioning", 2). */
export const revision = '4.176.0'
