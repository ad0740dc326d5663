import type { Logger } from 'pino'
import { toMicroseconds } from '../../util/microseconds.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { problemKind } from '../error-status.js'

/**
 * One line a request: which, how it ended, how long it took and what for. A failure of the server itself gets a
 * line of its own with the error and the command that mends it.
 * @param addressOf given where the lines are to hold the text of a search and the address of its client
 */
export function accessLog(
  logger: Logger,
  addressOf: ((c: AppContext) => string) | undefined,
): AppMiddleware {
  return async function accessLog(c, next) {
    const begun = performance.now()
    await next()
    const durationMs = toMicroseconds(performance.now() - begun)
    const requestId = c.get('requestId')
    const { method, path } = c.req
    const { status } = c.res
    const who = addressOf && { client: addressOf(c), query: c.get('query') }
    if (c.error === undefined) {
      const phases = c.get('phases')
      logger.info({ requestId, method, path, status, durationMs, phases, ...who }, 'request')
      return
    }
    const problem = problemKind(c.error).name
    logger.info({ requestId, method, path, status, durationMs, problem, ...who }, 'request')
    if (status < 500 || status === 503) return
    const remedy = 'remedy' in c.error ? c.error.remedy : undefined
    logger.error({ requestId, remedy, err: c.error }, messageOf(problem, remedy))
  }
}

const messageOf = (problem: string, remedy: unknown) =>
  typeof remedy === 'string' ? `${problem}; mend it with: ${remedy}` : problem
