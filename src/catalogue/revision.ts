/** The revision of api.md that the catalogue describes ("Versioning", 2). */
export const revision = '4.176.0'
