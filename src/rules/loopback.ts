/**
 * Whether a host, as URL writes it (`[::1]`, lower case, `127.1` in full), is this machine: what goes there needs no
 * https, and no proxy (reliability.md, Secrets). A name other than `localhost` may lead anywhere.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
