/** A step that runs in Python failed, or there is no Python. */
export class PythonError extends Error {
  override readonly name = 'PythonError'
}
