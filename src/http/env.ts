/** What a request carries through the middleware. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Handler, MiddlewareHandler } from 'hono'

export interface AppEnv {
  /** Node's request and response; absent where a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>
  Variables: {
    /** The client's X-Request-Id where it is sound, else one of ours. */
    requestId: string
    /** Headers that the answer is to have whatever it is; undefined once they are in it. */
    headers: Record<string, string> | undefined
    /** Set by hono-rate-limiter, on routes with a rate limit. */
    rateLimit: object | undefined
    /** The route's path as the documentation writes it; undefined where no route takes the request. */
    route: string | undefined
    /** When it came, by performance.now(). */
    begunMs: number
    /** Milliseconds of each phase of a search, once it is answered. */
    phases: Readonly<Record<string, number>> | undefined
    /** Milliseconds that the request may take. */
    allowedMs: number
    /** Aborted when the client leaves or the deadline passes. */
    signal: AbortSignal
    /** Text that is searched for, for a log that is asked to tell it. */
    query: string | undefined
  }
}
export type AppContext = Context<AppEnv>
export type AppHandler = Handler<AppEnv>
export type AppMiddleware = MiddlewareHandler<AppEnv>
