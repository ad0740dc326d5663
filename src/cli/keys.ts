/** `synoptic keys add`, `keys list` and `keys revoke`: the file of `--api-keys`. */
import { existsSync } from 'node:fs'
import * as v from 'valibot'
import type { KeySettings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { createApiKey, hashOf, looksLikeKey } from '../base/keys/api-key.js'
import { changeKeyFile, readKeyFile } from '../base/keys/key-file.js'
import { keyName, perMinute, type KeyRecord } from '../base/keys/key-record.js'
import { isExpired } from '../base/keys/key-ring.js'
import { scopes } from '../base/keys/scopes.js'
import { servingProcesses } from '../base/util/serving-processes.js'
import type { Command } from './command.js'
import { parseExpiry, parseScopes } from './keys-options.js'
import { parseOptions, parseWords } from './parse-words.js'
import { print, printError } from './print.js'

export const keysAdd: Command = {
  name: 'keys add',
  summary: 'Makes an API key, and prints it once.',
  help: `Usage: synoptic keys add NAME --api-keys <file> [--scopes <list>] [--expires <when>]
                         [--per-minute <n>]

Adds a key to the file, and makes the file if there is none. The file holds a hash, so nobody can
read the key again. Logs and metrics show the name.

  --api-keys <file>   File of the keys; also SYNOPTIC_API_KEYS
  --scopes <list>     What the key opens: ${scopes.join(', ')}.
                      default search
  --expires <when>    A date such as 2027-01-31, or days from now such as 90d.
                      default never
  --per-minute <n>    Requests per minute with this key, in place of --rate-limit.
                      default the limits of --rate-limit

Example:
  synoptic keys add website --api-keys keys.json --scopes search --expires 90d`,
  run: (argv, settings) => add(argv, settings as KeySettings),
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'Lists the API keys: names, scopes, expiry and limits.',
  help: `Usage: synoptic keys list --api-keys <file>

Example:
  synoptic keys list --api-keys keys.json`,
  run: (argv, settings) => Promise.resolve().then(() => list(argv, settings as KeySettings)),
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Removes an API key by its name.',
  help: `Usage: synoptic keys revoke NAME --api-keys <file>

A running server refuses the key after a reload (SIGHUP).

Example:
  synoptic keys revoke website --api-keys keys.json`,
  run: (argv, settings) => revoke(argv, settings as KeySettings),
}

async function add(argv: readonly string[], settings: KeySettings): Promise<number> {
  const { values, positionals } = parseWords('keys add', argv, {
    scopes: { type: 'string' },
    expires: { type: 'string' },
    'per-minute': { type: 'string' },
  })
  const name = nameOf('keys add', positionals)
  const limit = values['per-minute']
  const key = createApiKey()
  const record: KeyRecord = {
    name,
    hash: hashOf(key).toString('hex'),
    scopes: parseScopes(values.scopes ?? 'search'),
    created: new Date().toISOString(),
    ...(values.expires !== undefined && { expires: parseExpiry(values.expires, Date.now()) }),
    ...(limit !== undefined && {
      perMinute: checked('--per-minute', perMinute, /^\d+$/.test(limit) ? Number(limit) : limit),
    }),
  }
  await changeKeyFile(fileOf('keys add', settings), (keys) => {
    if (keys.some((other) => other.name === name)) {
      throw new SettingsError([`keys add: there is a key with the name ${name} already`])
    }
    return [...keys, record]
  })
  print(`${key}\n`)
  printError(`Keep this key: it is stored nowhere.\n${reloadHint(settings)}`)
  return 0
}

function list(argv: readonly string[], settings: KeySettings): number {
  parseOptions('keys list', argv, {})
  const keys = readKeyFile(fileOf('keys list', settings))
  const width = Math.max(...keys.map(({ name }) => name.length)) + 2
  print(keys.length === 0 ? 'There are no keys.\n' : keys.map((key) => line(key, width)).join(''))
  return 0
}

function line(key: KeyRecord, width: number): string {
  const { name, scopes, created, expires, perMinute: limit } = key
  const day = (time: string) => time.slice(0, 'yyyy-mm-dd'.length)
  const facts = [
    scopes.join(','),
    `made ${day(created)}`,
    ...(expires === undefined ? [] : [`${isExpired(key) ? 'expired' : 'expires'} ${day(expires)}`]),
    ...(limit === undefined ? [] : [`${limit} per minute`]),
  ]
  return `${name.padEnd(width)}${facts.join(', ')}\n`
}

async function revoke(argv: readonly string[], settings: KeySettings): Promise<number> {
  const { positionals } = parseWords('keys revoke', argv, {})
  const name = nameOf('keys revoke', positionals)
  const file = fileOf('keys revoke', settings)
  readKeyFile(file)
  await changeKeyFile(file, (keys) => {
    const rest = keys.filter((key) => key.name !== name)
    if (rest.length < keys.length) return rest
    throw new SettingsError([`keys revoke: there is no key with the name ${name}`])
  })
  print(`Revoked ${name}.\n${reloadHint(settings)}`)
  return 0
}

function nameOf(command: string, words: readonly string[]): string {
  const [name, ...more] = words
  if (name === undefined || more.length > 0) {
    throw new SettingsError([`${command}: expected one name, received ${words.length}`])
  }
  // A key that was typed instead of its name is not repeated on the terminal.
  const shown = looksLikeKey(name) ? 'a key' : JSON.stringify(name)
  return checked(`${command}: received ${shown}`, keyName, name)
}

function checked<T>(where: string, schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw new SettingsError([`${where}: ${result.issues[0].message}`])
}

function fileOf(command: string, { apiKeys }: KeySettings): string {
  if (apiKeys !== 'none') return apiKeys
  throw new SettingsError([`${command}: name the file of the keys with --api-keys <file>`])
}

/** A server reads the file at its start and at each SIGHUP. */
function reloadHint({ dataDir }: KeySettings): string {
  const pids = existsSync(dataDir) ? servingProcesses(dataDir) : []
  return pids.length === 0
    ? 'A running server reads the file again on SIGHUP: kill -HUP <pid>\n'
    : `To tell the running server, run: kill -HUP ${pids.join(' ')}\n`
}
