import type { HttpBindings } from '@hono/node-server'
import { ClientGoneError } from '../../errors/client-gone-error.js'
import { DeadlineError } from '../../errors/deadline-error.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { RequestSignal } from '../request-signal.js'

/**
 * Gives the request a signal that aborts when its time is up or the client has left, and answers at
 * once then; whatever holds the signal drops its work.
 */
export const deadline: AppMiddleware = async function deadline(c, next) {
  const allowedMs = c.get('allowedMs')
  const signal = new RequestSignal()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  const forget = onClientGone(c, () => signal.abort(new ClientGoneError()))
  const timer = setTimeout(() => signal.abort(new DeadlineError(allowedMs / 1000)), allowedMs)
  c.set('signal', signal)
  try {
    await Promise.race([next(), aborted])
  } finally {
    clearTimeout(timer)
    forget()
  }
}

/**
 * Node's response closes unfinished when its client leaves; the request's own signal says the same, but
 * costs an AbortController. Answers what stops the listening.
 */
function onClientGone(c: AppContext, tell: () => void): () => void {
  const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing
  if (outgoing === undefined) return () => undefined
  const onClose = () => {
    if (!outgoing.writableFinished) tell()
  }
  outgoing.once('close', onClose)
  if (outgoing.destroyed) onClose()
  return () => outgoing.off('close', onClose)
}
