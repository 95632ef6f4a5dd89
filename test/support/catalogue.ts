import { catalogue } from '../../src/catalogue'

/** Every operation of the catalogue, under the name that it has there: `volumes.resize`. */
export const catalogued = Object.entries(catalogue).flatMap(([group, operations]) =>
  Object.entries(operations).map(([verb, operation]) => ({ name: `${group}.${verb}`, operation })),
)
