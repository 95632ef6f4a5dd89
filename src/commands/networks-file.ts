/** Reads the file with the networks that command lines name. */
import { nameOfSource, readTextFile } from '../engine/body-file'
import { Problem } from '../errors'
import { ownAddress, usualFile } from '../firewall/networks'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { Definitions } from '../state/definitions'
import { fieldFailures, wrongFiles } from '../state/file-failures'
import { readPlaced } from '../state/positions'

export interface NetworksFile {
  /** Path; undefined without a file. */
  path: string | undefined
  networks: ReadonlyMap<string, readonly string[]>
}

/** Reads a file of networks. Throws `local` if it is unreadable, and `usage` with the lines of its faults. */
export async function readNetworks(path: string): Promise<NetworksFile['networks']> {
  const file = await readPlaced({ name: path, text: await readTextFile(path) })
  const { value, place, faults } = file
  const definitions = new Definitions([file])
  const wrong = [
    ...faults.map(({ place, reason }) => ({ place, field: null, reason })),
    ...(faults.length > 0 ? [] : shapeFaults(value, (key) => String(place.at([key])))),
    ...definitions.faultsIn(file).filter(({ field }) => field?.startsWith('networks')),
  ]
  if (wrong.length > 0) throw wrongFiles(fieldFailures(wrong), 'usage')
  return new Map([...definitions.networks].map(([name, { value }]) => [name, value]))
}

/** Returns the faults of a file that is no file of networks. */
function shapeFaults(value: unknown, placeOf: (key: string) => string) {
  if (!isRecord(value)) return [{ place: placeOf(''), field: null, reason: 'Must be an object with the key networks' }]
  const strangers = Object.keys(value).filter((key) => key !== 'networks')
  return strangers.map((key) => ({
    place: placeOf(key),
    field: key,
    reason: 'a file of networks has no other key than networks',
  }))
}

/** Creates the problem of a name that the file does not define. */
export function unknownName(name: string, by: string, { path, networks }: NetworksFile): Problem {
  if (path === undefined) {
    const file = `write ${usualFile} in this folder, or set the file of a context: skyctl context update NAME --networks FILE`
    return new Problem('usage', `${by}: "${name}" is not an address, and there is no file that names networks`, {
      hint: /^(me|my-?ip|self)$/i.test(name) ? ownAddress : `For names, ${file}`,
    })
  }
  const names = [...networks.keys()]
  const known = names.length === 0 ? 'It defines none' : `It defines: ${names.join(', ')}`
  return new Problem('usage', `${by}: no network has the name "${name}" in ${nameOfSource(path)}`, {
    hint: didYouMean(name, [...names, 'anywhere']) ?? known,
  })
}
