import { ClientGoneError } from '../../errors/client-gone-error.js'
import { DeadlineError } from '../../errors/deadline-error.js'
import type { AppMiddleware } from '../env.js'

/**
 * Gives the request a signal that aborts when its time is up or its client leaves, and rejects at once
 * then; whatever holds the signal drops its work.
 */
export const deadline: AppMiddleware = async function deadline(c, next) {
  const allowedMs = c.get('allowedMs')
  const controller = new AbortController()
  const { signal } = controller
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  const client = c.req.raw.signal
  const onClientGone = () => controller.abort(new ClientGoneError())
  client.addEventListener('abort', onClientGone, { once: true })
  if (client.aborted) onClientGone()
  const timer = setTimeout(() => controller.abort(new DeadlineError(allowedMs / 1000)), allowedMs)
  c.set('signal', signal)
  try {
    await Promise.race([next(), aborted])
  } finally {
    clearTimeout(timer)
    client.removeEventListener('abort', onClientGone)
  }
}
