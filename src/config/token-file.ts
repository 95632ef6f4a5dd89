/** SKYCTL_TOKEN_FILE: a token in a file that is none of ours, such as a secret that Docker or Kubernetes mounts. */
import { Problem } from '../errors'
import { readNamed } from '../files/named'
import { fileProblem } from '../files/problem'
import { withoutMark } from '../files/text'
import { parseToken } from './token'

/** In bytes. A larger file holds no token, and may have no end. */
const most = 64 * 1024

/**
 * The token that a file holds, with or without line breaks at its end. Whose it is and through how many links it is
 * reached does not matter: Kubernetes mounts secrets as links, readable for all. Throws `local` where it cannot be read,
 * `not_signed_in` where it is empty, `usage` where it holds no token, `too_large`; never with what it holds.
 */
export async function readTokenFile(path: string): Promise<string> {
  const text = (await readStart(path)).trimEnd()
  const hint = 'SKYCTL_TOKEN_FILE must name a file that holds a token and nothing else'
  if (text === '') throw new Problem('not_signed_in', `${path} is empty, and should hold a token`, { hint })
  try {
    return parseToken(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `${path}: ${error.message}`, { hint })
  }
}

async function readStart(path: string): Promise<string> {
  try {
    const bytes = await readNamed(path, most)
    if (bytes.length > most) throw new Problem('too_large', `${path} is too large for a token: over ${most / 1024} KiB`)
    return withoutMark(bytes.toString())
  } catch (error) {
    throw named(fileProblem('read the token of SKYCTL_TOKEN_FILE from', path, error))
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return new Problem(error.code, error.message, {
    hint: 'Mount the secret there, or name another file',
    cause: error,
  })
}
