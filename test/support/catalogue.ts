import { catalogue } from '../../src/catalogue'

/** Every operation of the catalogue with its name there: `volumes.resize`. */
export const catalogued = Object.entries(catalogue).flatMap(([group, operations]) =>
  Object.entries(operations).map(([verb, operation]) => ({ name: `${group}.${verb}`, operation })),
)
