import type { Logger } from 'pino'
import { runnable } from '../../../base/util/runnable.js'
import { toMicroseconds } from '../../../base/util/microseconds.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { problemKind } from '../../problems/error-status.js'
import { createRefusalLog } from '../refusal-log.js'

/**
 * Writes a line a request: which, its status, how long it took and its phases. A failure of the server gets
 * a second line with the error and the command that fixes it. Requests that were refused because the server
 * is busy get one line a second together.
 * @param addressOf given where the lines include the query and the client's address; refusals then have lines too
 */
export function accessLog(
  logger: Logger,
  addressOf: ((c: AppContext) => string) | undefined,
): AppMiddleware {
  const refusals = createRefusalLog(logger)
  return async function accessLog(c, next) {
    const begun = performance.now()
    await next()
    const problem = c.error && problemKind(c.error).name
    if (problem === 'overloaded' && addressOf === undefined) {
      refusals.count()
      return
    }
    const durationMs = toMicroseconds(performance.now() - begun)
    const requestId = c.get('requestId')
    const { method, path } = c.req
    const { status } = c.res
    const key = c.get('key')?.name
    const client = addressOf && { client: addressOf(c), query: c.get('query') }
    if (c.error === undefined) {
      const phases = c.get('phases')
      logger.info(
        { requestId, method, path, status, durationMs, key, phases, ...client },
        'request',
      )
      return
    }
    logger.info({ requestId, method, path, status, durationMs, key, problem, ...client }, 'request')
    const remedy = 'remedy' in c.error ? c.error.remedy : undefined
    if (status < 500 || (status === 503 && remedy === undefined)) return
    logger.error({ requestId, remedy, err: c.error }, messageOf(problem, remedy))
  }
}

const messageOf = (problem: string | undefined, remedy: unknown) =>
  typeof remedy === 'string' ? runnable(`${problem}; mend it with: ${remedy}`) : String(problem)
