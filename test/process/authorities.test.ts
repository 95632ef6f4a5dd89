/** Certificate authorities of the environment, in this build and as docs/security.md lists them for each build. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { certificateFile, faultServer, reply } from '../support/fault-server'
import { missingPath } from '../support/nonexistent'
import { test as base } from '../support/process'
import { executable, isOfBun } from '../support/program'

const none = { data: [], page: 1, pages: 1, results: 0 }
const own = certificateFile('good')
const other = certificateFile('wrong-name')
const [hash = ''] = execFileSync('openssl', ['x509', '-hash', '-noout', '-in', own]).toString().split('\n')
const list = 'skyctl volumes list --json --retries 0'

interface Fixtures {
  /** Runs a list on a service whose certificate is its own authority, or another line. */
  listWith(env: Record<string, string>, line?: string): Promise<{ exit: number | null; stderr: string }>
  /** Folder with the certificate under the name that OpenSSL looks up. */
  folder: string
}

const test = base.extend<Fixtures>({
  listWith: async ({ shell }, use) =>
    use(async (env, line = list) => {
      const { port } = await faultServer(reply(200, none), 'good')
      const options = { env: { SKYCTL_BASE_URL: `https://127.0.0.1:${port}/v4`, ...env } }
      const { exit, stderr } = await shell(line, options)
      return { exit, stderr }
    }),
  folder: async ({ home }, use) => {
    const folder = join(home, 'authorities')
    mkdirSync(folder)
    cpSync(own, join(folder, `${hash}.0`))
    await use(folder)
  },
})

const trusted = { exit: 0, stderr: '' }
const untrusted = { exit: 8, stderr: expect.stringContaining('self-signed') }

describe('SSL_CERT_FILE', () => {
  test('names the authorities, with others in the same file', async ({ listWith, home }) => {
    const bundle = join(home, 'bundle.pem')
    writeFileSync(bundle, `# Ours\n${readFileSync(other)}\n${readFileSync(own)}`)
    expect(await listWith({ SSL_CERT_FILE: own })).toEqual(trusted)
    expect(await listWith({ SSL_CERT_FILE: bundle })).toEqual(trusted)
    expect(await listWith({ SSL_CERT_FILE: other })).toEqual(untrusted)
    expect(await listWith({ SSL_CERT_FILE: '' })).toEqual(untrusted)
  })

  test('does not hide NODE_EXTRA_CA_CERTS', async ({ listWith }) => {
    expect(await listWith({ SSL_CERT_FILE: other, NODE_EXTRA_CA_CERTS: own })).toEqual(trusted)
  })

  test('is named if it cannot be read or has no certificate', async ({ listWith, home }) => {
    const missing = join(home, 'none.pem')
    expect(await listWith({ SSL_CERT_FILE: missing }, 'skyctl volumes list')).toEqual({
      exit: 12,
      stderr: `skyctl: cannot read SSL_CERT_FILE ${missing}: no such file or directory\n`,
    })
    writeFileSync(missing, 'nothing')
    expect(await listWith({ SSL_CERT_FILE: missing }, 'skyctl volumes list')).toEqual({
      exit: 12,
      stderr: `skyctl: SSL_CERT_FILE has no certificate: ${missing}. Name a file in PEM format\n`,
    })
    expect(await listWith({ SSL_CERT_FILE: home }, 'skyctl volumes list')).toEqual({
      exit: 12,
      stderr: `skyctl: cannot read "${home}": it is not a regular file\n`,
    })
  })
})

describe('SSL_CERT_DIR', () => {
  test('names folders of authorities, by their hashes', async ({ listWith, folder, home }) => {
    expect(await listWith({ SSL_CERT_DIR: folder })).toEqual(trusted)
    expect(await listWith({ SSL_CERT_DIR: `${missingPath}:${folder}` })).toEqual(trusted)
    expect(await listWith({ SSL_CERT_DIR: missingPath })).toEqual(untrusted)
    mkdirSync(join(home, 'unhashed'))
    cpSync(own, join(home, 'unhashed/own.pem'))
    expect(await listWith({ SSL_CERT_DIR: join(home, 'unhashed') })).toEqual(untrusted)
  })

  test('adds to SSL_CERT_FILE', async ({ listWith, folder }) => {
    expect(await listWith({ SSL_CERT_FILE: other, SSL_CERT_DIR: folder })).toEqual(trusted)
  })
})

describe('The table of docs/security.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (`.*?`|the system's.*?) +\|(.*)\|$/gm)].map(([, source = '', cells = '']) => ({
    source,
    cells: cells.split('|').map((cell) => cell.trim()),
  }))
  const column = isOfBun ? 1 : executable ? 2 : 0
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const hasSystemVariable = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19)

  /** Whether a cell says that these authorities are trusted, by this version of Node. */
  const says = (cell: string) => (cell.startsWith('Node ') ? hasSystemVariable : cell !== 'no')
  const cellOf = (source: string) => rows.find((row) => row.source === source)?.cells[column] ?? ''

  test('has a row for each source', () => {
    expect(rows.map(({ source }) => source)).toEqual([
      '`NODE_EXTRA_CA_CERTS=FILE`',
      '`SSL_CERT_FILE=FILE`',
      '`SSL_CERT_DIR=FOLDER:FOLDER`',
      "the system's, by itself",
      "the system's, with `NODE_USE_SYSTEM_CA=1`",
    ])
  })

  test.for([
    ['`NODE_EXTRA_CA_CERTS=FILE`', () => ({ NODE_EXTRA_CA_CERTS: own })],
    ['`SSL_CERT_FILE=FILE`', () => ({ SSL_CERT_FILE: own })],
    ['`SSL_CERT_DIR=FOLDER:FOLDER`', (folder: string) => ({ SSL_CERT_DIR: `${folder}:/tmp` })],
  ] as const)('is right about %s', async ([source, env], { listWith, folder }) => {
    expect(await listWith(env(folder))).toEqual(says(cellOf(source)) ? trusted : untrusted)
  })

  const canMount = () => {
    try {
      execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  test.skipIf(process.platform !== 'linux' || !canMount()).for([
    ["the system's, by itself", {}],
    ["the system's, with `NODE_USE_SYSTEM_CA=1`", { NODE_USE_SYSTEM_CA: '1' }],
  ] as const)('is right about %s', async ([source, env], { listWith, folder }) => {
    // The system's authorities are replaced for this process only.
    cpSync(own, join(folder, 'ca-certificates.crt'))
    const line = `unshare -rm sh -c 'mount --bind ${folder} /etc/ssl/certs && exec ${list}'`
    expect(await listWith(env, line)).toEqual(says(cellOf(source)) ? trusted : untrusted)
  })
})
