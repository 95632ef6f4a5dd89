/** Reads the file with the networks that command lines name. */
import { Definitions } from '../account-file/definitions'
import { levelOf } from '../account-file/overlays'
import { parseFile } from '../account-file/parse-file'
import { type Fault, fieldsOf, type PlacedValue } from '../account-file/places'
import { wrongFiles } from '../account-file/wrong-files'
import { readTextFile } from '../engine/body-file'
import { isRecord } from '../rules/records'

export interface NetworksFile {
  /** Path; undefined without a file. */
  path: string | undefined
  networks: ReadonlyMap<string, readonly string[]>
}

/** Reads a file of networks. Throws `local` if it is unreadable, and `usage` with the lines of its faults. */
export async function readNetworksFile(path: string): Promise<NetworksFile['networks']> {
  const { faults, ...file } = await parseFile({ name: path, text: await readTextFile(path) })
  const definitions = new Definitions([{ ...file, level: levelOf({}) }])
  const wrong = [
    ...(faults.length > 0 ? faults : shapeFaults(file)),
    ...definitions.faults().filter(({ at }) => at.field?.startsWith('networks')),
  ]
  if (wrong.length > 0) throw wrongFiles(wrong)
  return new Map([...definitions.networks].map(([name, { value }]) => [name, value]))
}

/** Returns the faults of a file that does not define networks. */
function shapeFaults({ value, at }: PlacedValue): Fault[] {
  if (!isRecord(value)) return [{ at, reason: 'Must be an object with the key networks' }]
  const strangers = fieldsOf({ value, at }).filter(([key]) => key !== 'networks')
  return strangers.map(([, field]) => ({
    at: field.at,
    reason: 'a file of networks has no other key than networks',
  }))
}
