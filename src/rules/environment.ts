/** The variables of the process's environment, as far as they are set. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What other programs are given: they are not to hold the token. */
export function withoutToken({ SKYCTL_TOKEN: _token, ...others }: Environment): Environment {
  return others
}

/** Whether a terminal shows more than ASCII: the locale says UTF-8 (POSIX: LC_ALL, then LC_CTYPE, then LANG). */
export function showsUnicode(env: Environment): boolean {
  return env.TERM !== 'dumb' && /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
}
