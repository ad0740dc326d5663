/** The settings of a server, for a program that names a folder and a few of them. */
import { join } from 'node:path'
import { flagOf, readSettings } from '../base/config/read.js'
import { serverSettings, type ServerSettings } from '../base/config/settings.js'
import { userFolder } from '../base/config/user-folder.js'

/**
 * Neither the environment nor the current folder matters. A program is one process.
 * @throws SettingsError
 */
export function librarySettings(
  folder: string = userFolder(),
  settings: Readonly<Record<string, string | number | boolean>> = {},
): ServerSettings {
  const all = {
    dataDir: join(folder, 'data'),
    embeddingsDir: join(folder, 'embeddings'),
    modelsDir: join(folder, 'models'),
    logFile: 'none',
    logLevel: 'warn',
    ...settings,
    workers: 1,
  }
  const words = Object.entries(all).map(([name, value]) => `--${flagOf(name)}=${value}`)
  return readSettings(serverSettings, words, {}, [], true).settings
}
