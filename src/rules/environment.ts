/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment for child processes, which must not get the token. */
export function withoutToken({ SKYCTL_TOKEN: _token, ...others }: Environment): Environment {
  return others
}

/** Reports whether a terminal supports UTF-8 according to its locale (POSIX: LC_ALL, then LC_CTYPE, then LANG). */
export function showsUnicode(env: Environment): boolean {
  return env.TERM !== 'dumb' && /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
}
