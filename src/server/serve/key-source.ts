/** The key file of a server that runs: read at the start, and again at each SIGHUP. */
import type { Logger } from 'pino'
import type { ServerSettings } from '../../base/config/settings.js'
import { readKeyFile } from '../../base/keys/key-file.js'
import type { KeyRecord } from '../../base/keys/key-record.js'

export interface KeySource {
  /** As the file last was when it could be read. */
  keys(): readonly KeyRecord[]
  /** Reads the file again. A file that cannot be read changes nothing, and the log says so. */
  reload(): readonly KeyRecord[]
}

/** @returns undefined where no keys are needed @throws SettingsError for a file that cannot be read */
export function openKeySource(
  { apiKeys: file }: Pick<ServerSettings, 'apiKeys'>,
  logger: Logger,
): KeySource | undefined {
  if (file === 'none') return undefined
  let keys = readKeyFile(file)
  if (keys.length === 0) logger.warn('there are no keys in the key file, so nobody can search')
  return {
    keys: () => keys,
    reload() {
      try {
        keys = readKeyFile(file)
        logger.info({ keys: keys.length }, 'read the key file again')
      } catch (error) {
        logger.error({ err: error }, 'the key file cannot be read; the old keys stay')
      }
      return keys
    },
  }
}
