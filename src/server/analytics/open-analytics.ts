/** Analytics of a whole server, in the process that owns the file: counts, and a line of JSON for each search. */
import type { Logger } from 'pino'
import { withoutKeys } from '../../base/keys/api-key.js'
import { openLogFile } from '../../base/observability/log-file.js'
import { SettingsError } from '../../base/errors/index.js'
import { asciiControls } from '../../base/util/printable.js'
import type { Analytics } from './analytics.js'
import { countSearches } from './count-searches.js'

export interface OpenAnalytics extends Analytics {
  /** Writes what is queued. */
  close(): Promise<void>
}

/**
 * Lines go to `file` and rotate as the log does. A file that cannot be written costs one warning; searches are counted
 * then, too.
 * @throws SettingsError where the setting names what can never be such a file
 */
export async function openAnalytics(
  file: string,
  logger: Logger,
  now: () => number = Date.now,
): Promise<OpenAnalytics> {
  const counts = countSearches(now)
  let hasWarned = false
  const warn = (error: unknown) => {
    if (hasWarned) return
    hasWarned = true
    logger.warn({ err: error }, `the analytics file ${file} cannot be written; going on`)
  }
  const lines = await openLogFile(file, warn, { setting: '--analytics' }).catch(
    (error: unknown) => {
      if (error instanceof SettingsError) throw error
      warn(error)
      return undefined
    },
  )
  return {
    searched(search) {
      // Somebody may paste a key into the search box.
      const sound = { ...search, query: withoutKeys(search.query) }
      counts.add(sound)
      const line = JSON.stringify({ at: new Date(now()).toISOString(), ...sound })
      lines?.write(`${asciiControls(line)}\n`)
    },
    summary: () => Promise.resolve(counts.summary()),
    close: async () => lines?.close(),
  }
}
