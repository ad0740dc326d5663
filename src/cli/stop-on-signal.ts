/** A first SIGINT or SIGTERM stops a command in order, a second one at once. */
export function stopOnSignal(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const forget = () => void process.off('SIGINT', stop).off('SIGTERM', stop)
  return { signal: controller.signal, forget }
}
