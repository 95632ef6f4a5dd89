/** Reads SKYCTL_TOKEN_FILE: a token file from elsewhere, such as a secret mounted by Docker or Kubernetes. */
import { Problem } from '../errors'
import { withoutByteOrderMark } from '../files/byte-order-mark'
import { fileProblem } from '../files/file-problem'
import { readNamed } from '../files/named-file'
import { parseToken } from './token'

/** Maximum size in bytes. A larger file is not a token, and may be endless. */
const most = 64 * 1024

/**
 * Reads a token from a file, ignoring line breaks at its end. Owner, mode and links are not checked, because Kubernetes
 * mounts secrets as links readable by all. Throws `local` if it is unreadable, `not_signed_in` if empty, `usage` if
 * invalid, or `too_large`. Messages never quote the content.
 */
export async function readTokenFile(path: string): Promise<string> {
  const text = (await readStart(path)).trimEnd()
  const hint = 'SKYCTL_TOKEN_FILE must name a file that holds a token and nothing else'
  if (text === '') throw new Problem('not_signed_in', `${path} is empty, and should hold a token`, { hint })
  try {
    return parseToken(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw error.with({ message: `${path}: ${error.message}`, hint })
  }
}

async function readStart(path: string): Promise<string> {
  try {
    const bytes = await readNamed(path, most)
    if (bytes.length > most) throw new Problem('too_large', `${path} is too large for a token: over ${most / 1024} KiB`)
    return withoutByteOrderMark(bytes.toString())
  } catch (error) {
    throw named(fileProblem('read the token of SKYCTL_TOKEN_FILE from', path, error))
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return error.with({ hint: 'Mount the secret there, or name another file' })
}
