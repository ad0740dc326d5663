/** `synoptic anilist check`: whether the access token has to be renewed. */
import { anilistSettingsHelp, openClient, type AnilistSettings } from '../anilist/command-line.js'
import { systemClock } from '../util/clock.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'

export const anilistCheck: Command = {
  name: 'anilist check',
  summary: 'Says whether the AniList access token is still valid.',
  help: `Usage: synoptic anilist check [--graphql-url <url>] [--anilist-config <file>]

Asks AniList who is signed in. The exit status is 0 when the token is valid, 1 when it has to be
renewed, and 2 when it is not known because nobody answered (or the command line is wrong).

${anilistSettingsHelp}

Example:
  synoptic anilist check --anilist-config ~/anilist.json`,
  run,
}

const exitStatus = { valid: 0, refused: 1, unknown: 2 } as const

async function run(argv: readonly string[], settings: AnilistSettings): Promise<number> {
  parseOptions('anilist check', argv, {})
  const { client } = openClient(settings, systemClock, (line) => {
    process.stderr.write(`${line}\n`)
  })
  const needsRefresh = await client.tokenNeedsRefresh()
  if (needsRefresh === null) {
    process.stderr.write('It is not known whether the access token is valid.\n')
    return exitStatus.unknown
  }
  if (needsRefresh) {
    process.stdout.write(
      `The access token is not valid. Sign in again and put the new one into ACCESS_TOKEN of ${settings.anilistConfig}.\n`,
    )
    return exitStatus.refused
  }
  process.stdout.write('The access token is valid.\n')
  return exitStatus.valid
}
