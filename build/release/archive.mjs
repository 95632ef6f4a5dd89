/** Archives whose bytes depend on their content only: sorted names, root as the owner, and one given time. */
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

const compress = promisify(zlib.gzip)
/** Decompresses a gzip file. */
export const gunzip = promisify(zlib.gunzip)
const blockSize = 512

/** Compresses as `gzip -n` does: without a name and without a time. */
export const gzip = (data, level = 6) => compress(data, { level })

/**
 * Packs files, and the folders that they are in, as tar (ustar).
 *
 * @param {{ path: string, data?: Buffer, mode?: number }[]} files a folder has no data; its path ends with no slash
 * @param {number} seconds the time of all files, since 1970
 */
export function tar(files, seconds) {
  const blocks = withFolders(files).flatMap((file) => [header(file, seconds), ...content(file)])
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)])
}

function withFolders(files) {
  const entries = new Map(files.flatMap(({ path }) => parents(path)).map((path) => [path, { path, mode: 0o755 }]))
  for (const file of files) entries.set(file.path, file)
  return [...entries.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

function parents(path) {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function content({ data }) {
  return data === undefined ? [] : [data, Buffer.alloc((blockSize - (data.length % blockSize)) % blockSize)]
}

function header({ path, data, mode = data ? 0o644 : 0o755 }, seconds) {
  const name = data ? path : `${path}/`
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for tar`)
  const block = Buffer.alloc(blockSize)
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(name, 0)
  block.write(octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(data?.length ?? 0, 12) + octal(seconds, 12), 100)
  block.write(data ? '0' : '5', 156)
  block.write('ustar\x0000root', 257)
  block.write('root', 297)
  return writeChecksum(block)
}

/** Writes the checksum into a header, whose own bytes count as spaces. */
function writeChecksum(block) {
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Replaces modes that depend on the umask of a checkout. Only the permission to run a file remains. */
export function withPlainModes(archive) {
  const data = Buffer.from(archive)
  const octalAt = (position) => Number.parseInt(data.toString('latin1', position, position + 12), 8)
  for (let at = 0; data[at] !== 0; at += blockSize + Math.ceil(octalAt(at + 124) / blockSize) * blockSize) {
    const isProgram = (Number.parseInt(data.toString('latin1', at + 100, at + 108), 8) & 0o100) !== 0
    data.write(isProgram ? '0000755\0' : '0000644\0', at + 100)
    writeChecksum(data.subarray(at, at + blockSize))
  }
  return data
}

/** Packs members as ar, in this order, for Debian packages. */
export function ar(members, seconds) {
  const parts = members.flatMap(({ name, data }) => [
    Buffer.from(
      `${name.padEnd(16)}${String(seconds).padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(data.length).padEnd(10)}\`\n`,
    ),
    data,
    Buffer.from('\n'.repeat(data.length % 2)),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}
