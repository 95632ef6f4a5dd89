/** Orders the files of an account: which of them may refine others (state.md, For teams). */

/** Place of a file in the order of reading. Files of one folder have the same. */
export interface Level {
  /** Index of the argument that names the file, or a folder above it. */
  argument: number
  /** Folders between that of the argument and the file. */
  folders: readonly string[]
}

/** Returns the level of a file; files that are read without a command line have one. */
export const levelOf = ({ level = { argument: 0, folders: [] } }: { level?: Level }): Level => level

/**
 * Reports whether a file may refine one of another level: it has a later argument, or is in a folder below. Folders
 * beside each other may not: their order would be an accident of their names.
 */
export const isLater = (level: Level, other: Level): boolean =>
  level.argument === other.argument
    ? level.folders.length > other.folders.length && other.folders.every((name, at) => level.folders[at] === name)
    : level.argument > other.argument
