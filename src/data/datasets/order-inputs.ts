/** The order in which the sources of a dataset are joined. */
import { DataImportError } from '../../base/errors/index.js'
import type { Input } from './input.js'

/** Makes the first source the base if there is none. Sources that join by id come before those by title. */
export function withBase<T extends Input>(inputs: readonly T[]): readonly T[] {
  const [first, ...others] = inputs
  if (first === undefined || inputs.some(({ mapping }) => mapping.join === undefined)) return inputs
  return [{ ...first, mapping: { ...first.mapping, join: undefined } }, ...others]
}

/** The base, then the others in the order in which they were named. */
export function orderInputs<T extends Input>(inputs: readonly T[]): readonly T[] {
  const [base, second] = inputs.filter(({ mapping }) => mapping.join === undefined)
  const first = inputs[0]
  if (base === undefined) {
    const dataset = first?.mapping.dataset ?? ''
    const problem = `joins the dataset ${dataset}, whose base is missing`
    throw new DataImportError(
      first?.file ?? '',
      `${problem}; name the mapping without "join" in the same command`,
    )
  }
  if (second !== undefined) {
    const problem = `is a second base of the dataset ${base.mapping.dataset}, in addition to ${base.file}`
    throw new DataImportError(second.file, `${problem}; give its mapping "join": "id" or "title"`)
  }
  const others = inputs.filter((input) => input !== base)
  const byId = others.find(({ mapping }) => mapping.join === 'id')
  if (byId !== undefined && base.mapping.fields.id === undefined) {
    throw new DataImportError(byId.file, `joins by id, but ${base.file} has no fields.id`)
  }
  return [base, ...others]
}
