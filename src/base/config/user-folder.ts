/** Where a program that npm has installed keeps what it makes, by the custom of each system. */
import { homedir } from 'node:os'
import { join, isAbsolute } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * `~/.local/share/synoptic` (or `$XDG_DATA_HOME`), `~/Library/Application Support/synoptic` on macOS,
 * `%LOCALAPPDATA%\synoptic` on Windows.
 */
export function userFolder(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'synoptic')
  if (platform === 'win32')
    return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'synoptic')
  // The specification: a relative path is invalid and to be ignored.
  const { XDG_DATA_HOME: data = '' } = environment
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'synoptic')
}
