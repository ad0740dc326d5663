/** What the commands that talk to AniList have in common: settings, flags, lines on stderr. */
import type { Settings } from '../../base/config/settings.js'
import { SettingsError } from '../../base/errors/index.js'
import { createAnilistClient, type AnilistClient } from './client.js'
import type { Clock } from '../../base/util/clock.js'
import { createLineLogger, type Logger } from './logger.js'

export interface AnilistSettings extends Settings {
  /** Address of the GraphQL endpoint. */
  readonly graphqlUrl: string
  /** JSON file whose ACCESS_TOKEN is the bearer token. */
  readonly anilistConfig: string
}

export const anilistSettingsHelp = `  --graphql-url <url>      Address of the GraphQL endpoint.
                           default https://graphql.anilist.co
  --anilist-config <file>  JSON file whose ACCESS_TOKEN is the bearer token.
                           default config.json`

/** Throws a SettingsError for an address that cannot work. */
export function openClient(
  { graphqlUrl, anilistConfig }: AnilistSettings,
  clock: Clock,
  write: (line: string) => void,
): { readonly client: AnilistClient; readonly logger: Logger } {
  const logger = createLineLogger(write)
  const options = { url: graphqlUrl, configPath: anilistConfig, clock, logger }
  try {
    return { client: createAnilistClient(options), logger }
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError([`--graphql-url: ${error.message}`])
    throw error
  }
}
