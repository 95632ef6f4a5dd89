/** Reads an image as a container engine does: by the digests of its blobs, from the index to the layers. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { sha256 } from './provenance.mjs'

const run = promisify(execFile)

/** Unpacks an archive of a layout and its layers. Returns the root folder, and the configuration of a container. */
export async function unpackImage(archive, folder) {
  const layout = join(folder, 'layout')
  const rootFolder = join(folder, 'root')
  for (const path of [layout, rootFolder]) await mkdir(path)
  // The user of the image must be able to read it, whatever the umask.
  await chmod(rootFolder, 0o755)
  await run('tar', ['-xf', archive, '-C', layout])
  const { config, layers } = await readLayout(layout)
  for (const { file } of layers) await run('tar', ['-xzf', file, '-C', rootFolder])
  return { rootFolder, config: config.config }
}

/** Throws if a blob does not have its digest or size, or if a layer is not the one in the configuration. */
async function readLayout(layout) {
  const index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'))
  const manifest = JSON.parse((await readBlob(layout, index.manifests[0])).data)
  const config = JSON.parse((await readBlob(layout, manifest.config)).data)
  const layers = await Promise.all(manifest.layers.map((descriptor) => readBlob(layout, descriptor)))
  for (const [number, { data }] of layers.entries()) {
    const digest = `sha256:${sha256(gunzipSync(data))}`
    if (digest !== config.rootfs.diff_ids[number]) throw new Error(`layer ${number} is ${digest} unpacked`)
  }
  return { config, layers }
}

async function readBlob(layout, { digest, size }) {
  const file = join(layout, 'blobs', digest.replace(':', '/'))
  const data = await readFile(file)
  const actual = `sha256:${sha256(data)}`
  if (actual !== digest || data.length !== size) throw new Error(`blob ${digest} is ${actual}, ${data.length} bytes`)
  return { file, data }
}
