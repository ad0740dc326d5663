/** What a request carries through the middleware. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Handler, MiddlewareHandler } from 'hono'
import type { KeyRecord } from '../../base/keys/key-record.js'
import type { TextIds } from './entry-ids.js'
import type { Transfers } from './transfers.js'

/** Absent where a test calls the app without a socket. */
export type AppBindings = Partial<HttpBindings & { readonly transfers: Transfers }>

export interface AppEnv {
  /** Node's request and response, and what counts their bodies. */
  Bindings: AppBindings
  Variables: {
    /** The client's X-Request-Id where it is valid, else a new one. */
    requestId: string
    /** The key of the request, where the route needs one. */
    key: KeyRecord | undefined
    /** Set by hono-rate-limiter, on routes with a rate limit. */
    rateLimit: object | undefined
    /** The route's path as the documentation writes it; undefined where no route matches. */
    route: string | undefined
    /** When it arrived, by performance.now(). */
    begunMs: number
    /** Milliseconds of each phase of a search, once it has ended. */
    phases: Readonly<Record<string, number>> | undefined
    /** Milliseconds that the request may take. */
    allowedMs: number
    /** Aborted when the client leaves or the deadline passes. */
    signal: AbortSignal
    /** Of the dataset of the route, if its ids are texts. */
    ids: TextIds | undefined
    /** Text of the search, for a log that includes queries. */
    query: string | readonly string[] | undefined
  }
}
export type AppContext = Context<AppEnv>
export type AppHandler = Handler<AppEnv>
export type AppMiddleware = MiddlewareHandler<AppEnv>

/** None where a test calls the app without a socket. */
export const bindingsOf = ({ env = {} }: Partial<Pick<AppContext, 'env'>>): AppBindings => env
