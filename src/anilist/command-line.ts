/** What the commands that talk to AniList have in common: settings, flags, lines on stderr. */
import { parseArgs } from 'node:util'
import type { Settings } from '../config.js'
import { SettingsError } from '../errors/settings-error.js'
import { createAnilistClient, type AnilistClient } from './client.js'
import type { Clock } from './clock.js'
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

export interface ParsedFlags<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>
  readonly positionals: readonly string[]
}

/** Flags that take a text each; any other is a SettingsError. */
export function parseFlags<const Name extends string>(
  argv: readonly string[],
  names: readonly Name[],
): ParsedFlags<Name> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true })
    return { values: parsed.values as ParsedFlags<Name>['values'], positionals: parsed.positionals }
  } catch (error) {
    throw new SettingsError([error instanceof Error ? error.message : String(error)])
  }
}

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
