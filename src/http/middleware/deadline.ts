import { ClientGoneError } from '../../errors/client-gone-error.js'
import { DeadlineError } from '../../errors/deadline-error.js'
import type { AppMiddleware } from '../env.js'

/**
 * Gives the request a signal that aborts when time is up or the client has left, and answers at once
 * then; whatever holds the signal drops its work.
 */
export function deadline(timeoutSeconds: number): AppMiddleware {
  return async function deadline(c, next) {
    const controller = new AbortController()
    const client = c.req.raw.signal
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error))
    })
    const leave = () => controller.abort(new ClientGoneError())
    const timer = setTimeout(
      () => controller.abort(new DeadlineError(timeoutSeconds)),
      timeoutSeconds * 1000,
    )
    client.addEventListener('abort', leave)
    if (client.aborted) leave()
    c.set('signal', controller.signal)
    try {
      await Promise.race([next(), aborted])
    } finally {
      clearTimeout(timer)
      client.removeEventListener('abort', leave)
    }
  }
}
