/** A step that Python does for us: there is none here, or it failed. */
export class PythonError extends Error {
  override readonly name = 'PythonError'
}
