/** The check of a request's key, before all work for it and before the rate limit. */
import { KeyRequiredError, ScopeError } from '../../../base/errors/index.js'
import { isExpired, type KeyRing } from '../../../base/keys/key-ring.js'
import type { Scope } from '../../../base/keys/scopes.js'
import type { AppMiddleware } from '../env.js'
import { presentedKey } from './presented-key.js'

/** Lets requests through whose key has the scope, and notes the key for limits, metrics and log. */
export function requireScope(keys: KeyRing, scope: Scope): AppMiddleware {
  return async function requireScope(c, next) {
    const presented = presentedKey(c)
    if (presented === undefined) throw new KeyRequiredError('missing')
    const key = keys.find(presented)
    if (key === undefined) throw new KeyRequiredError('unknown')
    if (isExpired(key)) throw new KeyRequiredError('expired')
    c.set('key', key)
    if (!key.scopes.includes(scope)) throw new ScopeError(scope, key.scopes)
    await next()
  }
}
