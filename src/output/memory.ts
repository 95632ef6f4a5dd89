/** Memory that one command may take for what it holds before printing. */
export interface Memory {
  /** Maximum in bytes, packed. Short lists do not count. */
  most: number
  /** Bytes that are taken. */
  used: number
  /** Returns the number of records in the list, once the service has reported it. */
  total?: (() => number | undefined) | undefined
}

export const memoryOf = (most = 2 ** 30): Memory => ({ most, used: 0 })
