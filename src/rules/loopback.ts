/**
 * Reports whether a URL's host (`[::1]`, lower case, `127.1` in full) is this machine. Such requests need neither https
 * nor a proxy (reliability.md, Secrets). Names other than `localhost` may resolve to anything.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
