/**
 * SQLite, by the better-sqlite3 that fits the running Node: the newest brings its library compiled and needs Node-API
 * 10, which Node 20 has not. There the install puts an older one into tools/node20, with the same functions.
 * Node's own node:sqlite has others, is not in Node 20, and reads entries no faster (2,804 of them: 18.3 and 18.0 ms).
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type BetterSqlite from 'better-sqlite3'
import { isInstalledPackage, packageRoot } from './package-root.js'

export type Database = BetterSqlite.Database
export const Database: typeof BetterSqlite = load()

function load(): typeof BetterSqlite {
  const isOld = Number(process.versions.napi) < 10
  const place = isOld ? join(packageRoot, 'tools', 'node20', 'package.json') : import.meta.url
  try {
    const Sqlite = createRequire(place)('better-sqlite3') as typeof BetterSqlite
    // Loads the library, which may be there and not fit.
    new Sqlite(':memory:').close()
    return Sqlite
  } catch (cause) {
    const remedy = isInstalledPackage ? 'synoptic compile' : 'npm ci'
    const problem = `SQLite does not load in Node ${process.versions.node}`
    const message = `${problem}; run \`${remedy}\` with it.`
    throw Object.assign(new Error(message, { cause }), { code: 'ESQLITE', remedy })
  }
}
