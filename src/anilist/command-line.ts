/** What the commands that talk to AniList have in common: two flags, a client, lines on stderr. */
import { parseArgs } from 'node:util'
import type { Settings } from '../config.js'
import { SettingsError } from '../errors/settings-error.js'
import { createAnilistClient, defaultGraphqlUrl, type AnilistClient } from './client.js'
import type { Clock } from './clock.js'
import { createLineLogger, type Logger } from './logger.js'

/** Settings of the table that these commands use where it has them. */
export interface AnilistSettings {
  readonly graphqlUrl: string
  readonly anilistConfig: string
}
export type MaybeAnilistSettings = Settings & Partial<AnilistSettings>

export const defaultAnilistConfig = 'config.json'

export const anilistFlags = ['graphql-url', 'anilist-config'] as const

export const anilistFlagsHelp = `  --graphql-url <url>      Address of the GraphQL endpoint.
                           default ${defaultGraphqlUrl}
  --anilist-config <file>  JSON file whose ACCESS_TOKEN is the bearer token.
                           default ${defaultAnilistConfig}`

export interface ParsedFlags<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>
  readonly positionals: readonly string[]
}

/** Flags that take a text each; any other is a SettingsError. */
export function parseFlags<const Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): ParsedFlags<Name> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values: parsed.values as ParsedFlags<Name>['values'], positionals: parsed.positionals }
  } catch (error) {
    throw new SettingsError([error instanceof Error ? error.message : String(error)])
  }
}

/** Throws a SettingsError for an address that cannot work. */
export function openClient(
  flags: ParsedFlags<(typeof anilistFlags)[number]>['values'],
  settings: MaybeAnilistSettings,
  clock: Clock,
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): { readonly client: AnilistClient; readonly logger: Logger; readonly configPath: string } {
  const logger = createLineLogger(write)
  const url = flags['graphql-url'] ?? settings.graphqlUrl ?? defaultGraphqlUrl
  const configPath = flags['anilist-config'] ?? settings.anilistConfig ?? defaultAnilistConfig
  try {
    return { client: createAnilistClient({ url, configPath, clock, logger }), logger, configPath }
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError([`--graphql-url: ${error.message}`])
    throw error
  }
}
