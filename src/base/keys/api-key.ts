/**
 * A key as its owner holds it: `syn_` and 256 random bits. Files and processes keep only its SHA-256. Nobody
 * can guess 256 random bits, so a slow hash, as passwords need it, would only slow each request down.
 */
import { createHash, randomBytes } from 'node:crypto'

const prefix = 'syn_'
const randomByteCount = 32

export const createApiKey = (): string =>
  `${prefix}${randomBytes(randomByteCount).toString('base64url')}`

/** 32 bytes. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** The text with `syn_***` in the place of each key. */
export const withoutKeys = (text: string): string =>
  text.includes(prefix) ? text.replace(/syn_[\w-]{43}/g, 'syn_***') : text

export const looksLikeKey = (text: string): boolean => text.startsWith(prefix)
