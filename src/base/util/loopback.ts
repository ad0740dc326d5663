/** Names and addresses by which a machine calls itself. */
import { isIP } from 'node:net'

/** @param host a name or an address; IPv6 with or without brackets */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost')
}
