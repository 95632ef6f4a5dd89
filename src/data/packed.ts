/**
 * Records whose large fields stay packed as text while nobody looks at them. 200 firewalls with all the rules and
 * addresses that the API allows take 130 MiB in memory, and 25 to 60 MiB as text.
 */
import { memoryOf, perObject, perValue } from './bounds'

/** In bytes of memory; smaller fields are not worth the time. */
const worthPacking = 32 * 1024

/** Packs the large fields of a record in place, and returns what it takes in memory then, in bytes. */
export type Packer = (record: object) => number

/** What was looked at last stays unpacked, one field for all records of a packer. */
export function createPacker(): Packer {
  let last: { packed: Buffer; value: unknown } | undefined
  const unpacked = (packed: Buffer) => {
    if (last?.packed !== packed) last = { packed, value: JSON.parse(packed.toString()) }
    return last.value
  }
  const packedSize = (record: object, key: string, value: unknown) => {
    const size = memoryOf(value)
    const packed = size < worthPacking ? undefined : packedJson(value)
    if (!packed) return size
    Object.defineProperty(record, key, { get: () => unpacked(packed), enumerable: true, configurable: true })
    return packed.length
  }
  return (record) => {
    const fields = Object.entries(record)
    return fields.reduce((sum, [key, value]) => sum + perValue + packedSize(record, key, value), perObject)
  }
}

/** Undefined for what JSON.parse would not give back: integers beyond 2^53, and texts take no less room as JSON. */
function packedJson(value: unknown): Buffer | undefined {
  if (typeof value !== 'object') return undefined
  try {
    return Buffer.from(JSON.stringify(value))
  } catch {
    return undefined
  }
}
