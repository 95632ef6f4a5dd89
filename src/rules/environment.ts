/** The variables of the process's environment, as far as they are set. */
export type Environment = Readonly<Record<string, string | undefined>>
