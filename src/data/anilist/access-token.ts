/**
 * The bearer token: `ACCESS_TOKEN` of a local JSON file. It is read before each request, so a renewed token
 * needs no restart. No message quotes the file: the text of a syntax error would show the token.
 */
import { readFile } from 'node:fs/promises'
import type { Logger } from './logger.js'

/**
 * A reader of one configuration file. It returns null without a usable token, and logs the reason once: as
 * information for a missing file, a missing key or null, as a warning otherwise.
 * @param isTokenExpected whether to log that there is no token; a fault of the file is logged in any case
 */
export function createTokenReader(
  configPath: string,
  logger: Logger,
  isTokenExpected = true,
): () => Promise<string | null> {
  let lastReason: string | undefined
  return async function readToken() {
    const { token, reason, ordinary } = parseToken(await contents(configPath))
    if (reason !== undefined && reason !== lastReason && (isTokenExpected || !ordinary)) {
      const level = ordinary ? 'info' : 'warn'
      logger[level]({ configPath }, `no access token (${reason}); requests are not signed`)
    }
    lastReason = reason
    return token
  }
}

interface Found {
  readonly token: string | null
  /** Why there is no token. */
  readonly reason?: string
  readonly ordinary?: boolean
}
type Contents = { text: string } | { failure: string }

async function contents(path: string): Promise<Contents> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { failure: code }
  }
}

function parseToken(file: Contents): Found {
  if ('failure' in file) {
    return file.failure === 'ENOENT'
      ? absent('the configuration file does not exist')
      : malformed(`the configuration file cannot be read (${file.failure})`)
  }
  const config = parseJson(file.text)
  if (config === undefined) return malformed('the configuration file is not valid JSON')
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    return malformed(`the configuration file holds ${kindOf(config)}, expected a JSON object`)
  }
  const token: unknown = 'ACCESS_TOKEN' in config ? config.ACCESS_TOKEN : undefined
  if (token === undefined) return absent('ACCESS_TOKEN is missing')
  if (token === null) return absent('ACCESS_TOKEN is null')
  if (typeof token !== 'string') {
    return malformed(`ACCESS_TOKEN is ${kindOf(token)}, expected a string`)
  }
  const trimmed = token.trim()
  if (trimmed === '') return malformed('ACCESS_TOKEN is empty')
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    return malformed('ACCESS_TOKEN has spaces or other characters that a header cannot carry')
  }
  return { token: trimmed }
}

function absent(reason: string): Found {
  return { token: null, reason, ordinary: true }
}

function malformed(reason: string): Found {
  return { token: null, reason, ordinary: false }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return value === null ? 'null' : `a value of type ${typeof value}`
}
