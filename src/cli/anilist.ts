/** `synoptic anilist check`: whether the access token must be renewed. */
import {
  anilistSettingsHelp,
  openClient,
  type AnilistSettings,
} from '../data/anilist/command-line.js'
import { systemClock } from '../base/util/clock.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'

export const anilistCheck: Command = {
  name: 'anilist check',
  summary: 'Checks whether the AniList access token is valid.',
  help: `Usage: synoptic anilist check [--graphql-url <url>] [--anilist-config <file>]

Requests the signed-in user from AniList. The exit status is 0 if the token is valid, 1 if it must be renewed,
and 2 if AniList does not respond or the command line is wrong.

${anilistSettingsHelp}

Example:
  synoptic anilist check --anilist-config ~/anilist.json`,
  run,
}

const exitStatus = { valid: 0, refused: 1, unknown: 2 } as const

async function run(argv: readonly string[], settings: AnilistSettings): Promise<number> {
  parseOptions('anilist check', argv, {})
  const { client } = openClient(settings, systemClock, (line) => {
    printError(`${line}\n`)
  })
  const needsRefresh = await client.tokenNeedsRefresh()
  if (needsRefresh === null) {
    printError('AniList did not respond; the access token could not be checked.\n')
    return exitStatus.unknown
  }
  if (needsRefresh) {
    print(
      `The access token is not valid. Sign in at AniList and write the new token to ACCESS_TOKEN in ${settings.anilistConfig}.\n`,
    )
    return exitStatus.refused
  }
  print('The access token is valid.\n')
  return exitStatus.valid
}
