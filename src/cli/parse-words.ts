/** Parses the words of a command that are not settings: its options and positional words. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { commonSettings } from '../base/config/settings.js'
import { flagOf } from '../base/config/read.js'
import { SettingsError } from '../base/errors/index.js'
import { suggestion } from '../base/util/suggest.js'

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<Own extends Options> = ReturnType<
  typeof parseArgs<{ readonly options: Own; readonly allowPositionals: true }>
>

/** @throws SettingsError for unknown options; the message suggests the nearest option */
export function parseWords<const Own extends Options>(
  command: string,
  argv: readonly string[],
  options: Own,
): Parsed<Own> {
  const args = [...argv]
  refuseUnknown(command, args, options)
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new SettingsError([
      `${command}: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
}

/** Parses the options of a command that takes no positional words. @throws SettingsError for any */
export function parseOptions<const Own extends Options>(
  command: string,
  argv: readonly string[],
  options: Own,
): Parsed<Own>['values'] {
  const { values, positionals } = parseWords(command, argv, options)
  if (positionals.length === 0) return values
  throw new SettingsError([`${command}: unexpected word ${JSON.stringify(positionals[0])}`])
}

function refuseUnknown(command: string, args: string[], options: Options): void {
  const { tokens } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const unknown = tokens.flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(options, token.name) ? [token.rawName] : [],
  )
  const names = [...Object.keys(options), ...Object.keys(commonSettings).map(flagOf), 'config']
  const allowed = names.map((name) => `--${name}`)
  if (unknown.length === 0) return
  throw new SettingsError(
    unknown.map((flag) => `${command}: unknown option ${flag}${suggestion(flag, allowed)}`),
  )
}
