/** Writes a catalogue of an older schema again in the current one. Texts stay, so vectors do. */
import { Database } from '../../base/util/sqlite.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import { followLink } from '../../base/util/follow-link.js'
import { buildCatalogue } from '../catalogue/build-catalogue.js'
import { readContents } from '../catalogue/contents.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { readableVersions, schemaVersion } from '../catalogue/schema.js'
import { markUnfinished } from './merge-writes.js'
import { readWriteResults } from '../catalogue/write-results.js'

/**
 * A merge has to follow, which gives the embeddings the new version. Resolves to the schema that it had; undefined where there is nothing to do, or another process builds the catalogue. A
 * catalogue that is too old is reported by who opens it.
 */
export async function migrateCatalogue(path: string): Promise<number | undefined> {
  const file = followLink(path)
  const found = schemaOf(file)
  if (found === undefined || found === schemaVersion || !readableVersions.has(found))
    return undefined
  return withBuildLock(file, () => {
    markUnfinished(file)
    const old = openCatalogue(file)
    try {
      const contents = old.datasets().flatMap(({ name }) => readContents(old, name) ?? [])
      buildCatalogue(file, contents, readWriteResults(file))
    } finally {
      old.close()
    }
    return Promise.resolve(found)
  })
}

function schemaOf(file: string): number | undefined {
  let database: Database | undefined
  try {
    database = new Database(file, { readonly: true, fileMustExist: true })
    return Number(database.pragma('user_version', { simple: true }))
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined
    throw error
  } finally {
    database?.close()
  }
}
