/** The name of a model in a request. */
import * as v from 'valibot'
import { fullName, shortNames, unknownModel } from '../../models/registry/short-names.js'
import { kindOf } from './parts.js'

/** The last part of a name is enough where it is unique; the response has the whole name. */
export function modelName(models: readonly string[]) {
  const description =
    'Name of the model, as GET /models lists it, or its last part where no other model has it.'
  return v.pipe(
    v.picklist([...models, ...shortNames(models).keys()], ({ input }) =>
      typeof input === 'string'
        ? `${unknownModel(input, models)}. GET /models lists all.`
        : `expected the name of a model, received ${kindOf(input)}`,
    ),
    v.description(description),
    v.transform((name) => fullName(name, models)),
    v.picklist(models),
    v.description(description),
  )
}
