/**
 * Returns the home folder like `os.homedir`, which also prefers HOME except on Windows; loading node:os costs each
 * start 0.5 ms. Throws if the user is unknown.
 */
export function homeFolder({ env, platform, getBuiltinModule }: NodeJS.Process): string {
  return (platform === 'win32' ? undefined : env.HOME) ?? getBuiltinModule('node:os').homedir()
}
