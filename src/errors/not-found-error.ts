/** There is nothing at this path. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'
}
