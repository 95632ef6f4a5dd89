/**
 * The home folder as `os.homedir` tells it: outside Windows that looks into HOME first, and to load node:os takes each
 * start 0.5 ms. Throws where the user is unknown.
 */
export function homeFolder({ env, platform, getBuiltinModule }: NodeJS.Process): string {
  return (platform === 'win32' ? undefined : env.HOME) ?? getBuiltinModule('node:os').homedir()
}
