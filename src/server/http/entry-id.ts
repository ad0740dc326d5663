/** The id of an entry as a path holds it. */
import { NotFoundError } from '../../base/errors/index.js'

/** @throws NotFoundError where the text is not an id */
export function idOf(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new NotFoundError('There is no such entry; expected the id of one, an integer.')
}
