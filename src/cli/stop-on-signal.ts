/** A first SIGINT or SIGTERM aborts the signal; a second one ends the process at once. */
export function stopOnSignal(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const forget = () => void process.off('SIGINT', stop).off('SIGTERM', stop)
  return { signal: controller.signal, forget }
}
