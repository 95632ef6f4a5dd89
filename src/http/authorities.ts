/**
 * Reads the certificate authorities that the environment names as curl does: those in the file of SSL_CERT_FILE replace
 * the built-in ones, and SSL_CERT_DIR adds those of its folders. Node reads neither by itself, and bun adds both. Loaded
 * only if one of them is set.
 */
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import * as tls from 'node:tls'
import { Problem } from '../errors'
import { fileProblem } from '../files/file-problem'
import { readNamed } from '../files/named-file'
import type { Environment } from '../rules/environment'

/** Options of a connection with TLS: one context for all of them, since reading 140 certificates takes 30 ms. */
export interface Trust {
  secureContext: tls.SecureContext
}

const mostBytes = 2 ** 24

/** Returns the options for these authorities, with those of NODE_EXTRA_CA_CERTS. Throws `local` without the file. */
export async function readTrust(env: Environment): Promise<Trust> {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders, NODE_EXTRA_CA_CERTS: extra } = env
  const base = file ? [await readCertificates(file)] : builtIn()
  // A file that cannot be read adds nothing, as for Node and OpenSSL.
  const more = [...(extra ? [extra] : []), ...hashedFiles(folders ?? '')].map((path) => readText(path).catch(() => ''))
  return { secureContext: tls.createSecureContext({ ca: [...base, ...(await Promise.all(more))] }) }
}

/** Node has this function since 22.15. */
interface LaterTls {
  getCACertificates(kind: 'default'): string[]
}

/** Returns the authorities of the runtime, also those of the system if it trusts them, which Node 20 never does. */
function builtIn(): readonly string[] {
  const { getCACertificates, rootCertificates }: typeof tls & Partial<LaterTls> = tls
  return getCACertificates?.('default') ?? rootCertificates
}

async function readCertificates(path: string): Promise<string> {
  const text = await readText(path)
  if (/-----BEGIN (TRUSTED )?CERTIFICATE-----/.test(text)) return text
  throw new Problem('local', `SSL_CERT_FILE has no certificate: ${path}`, { hint: 'Name a file in PEM format' })
}

async function readText(path: string): Promise<string> {
  try {
    return (await readNamed(path, mostBytes)).toString('latin1')
  } catch (error) {
    throw error instanceof Problem ? error : fileProblem('read SSL_CERT_FILE', path, error)
  }
}

/** Lists the files that OpenSSL looks up: named after the hash of their subject, as `c_rehash` does. */
function hashedFiles(folders: string): string[] {
  return folders.split(delimiter).flatMap((folder) => {
    if (folder === '') return []
    try {
      const names = readdirSync(folder).filter((name) => /^[0-9a-f]{8}\.\d+$/.test(name))
      return names.sort().map((name) => join(folder, name))
    } catch {
      return []
    }
  })
}
