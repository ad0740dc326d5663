/** What errors of the system and of the network mean, in words; their code follows, for who looks it up. */

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'something else has this name',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its file system is mounted read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENOTFOUND: 'no host has this name; check it, and the network',
  EAI_AGAIN: 'the name of the host cannot be looked up; check the network',
  ECONNREFUSED: 'nothing listens there; check the address, and whether the server runs',
  ECONNRESET: 'the other side broke it off',
  EHOSTUNREACH: 'no route leads to the host; check the network',
  ENETUNREACH: 'no route leads to the host; check the network',
  ETIMEDOUT: 'the host does not respond; check the network, and proxies',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not respond; check the network, and proxies',
}

/** `there is no such file or folder (ENOENT)`; of a code that nobody knows the code, and else the message. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error) || typeof error.code !== 'string') return error.message
  const known = words[error.code]
  return known === undefined ? error.code : `${known} (${error.code})`
}

/** Names the file in an error of a write or a flush, which Node's lack where they go by a descriptor. */
export function nameFile(error: unknown, path: string): unknown {
  if (error instanceof Error && 'code' in error && !('path' in error))
    Object.assign(error, { path })
  return error
}

/** With the file before it, where the error names one and its message would be the system's. */
export function systemMessage(error: Error): string {
  const isKnown = 'code' in error && String(error.code) in words
  return isKnown && 'path' in error && typeof error.path === 'string'
    ? `${error.path}: ${systemReason(error)}`
    : error.message
}
