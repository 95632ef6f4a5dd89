/** Whether a text holds a private key, in any of the forms that ssh-keygen, OpenSSL and PuTTY write. */
export function isPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File|SSH PRIVATE KEY FILE FORMAT/m.test(text)
}

/** The keys of a text such as an authorized_keys file: a line each, without comments and blank lines (sshd(8)). */
export function keyLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}
