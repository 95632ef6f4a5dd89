/** The volume operations, whose records need only an id: for tests in which answers do not matter. */
import * as v from 'valibot'
import { positive } from '../../src/catalogue/fields'
import { operation } from '../../src/catalogue/operation'
import { volumes as whole } from '../../src/catalogue/volumes'

const returns = v.looseObject({ id: positive('Unique ID') })

export const volumes = {
  ...whole,
  list: operation({ ...whole.list, returns }),
  create: operation({ ...whole.create, returns }),
  view: operation({ ...whole.view, returns }),
  update: operation({ ...whole.update, returns }),
  attach: operation({ ...whole.attach, returns }),
  resize: operation({ ...whole.resize, returns }),
  clone: operation({ ...whole.clone, returns }),
}
