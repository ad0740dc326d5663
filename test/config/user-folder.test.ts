import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userFolder } from '#synoptic/base/config/user-folder.js'

describe('the folder of the user', () => {
  const local = join('/home/a', '.local', 'share', 'synoptic')
  it.each([
    ['linux', {}, local],
    ['linux', { XDG_DATA_HOME: '/mnt/data' }, join('/mnt/data', 'synoptic')],
    ['linux', { XDG_DATA_HOME: '' }, local],
    ['linux', { XDG_DATA_HOME: 'relative' }, local],
    ['darwin', { XDG_DATA_HOME: '/mnt/data' }, '/home/a/Library/Application Support/synoptic'],
    ['win32', { LOCALAPPDATA: '/home/a/Local' }, '/home/a/Local/synoptic'],
    ['win32', {}, '/home/a/AppData/Local/synoptic'],
  ] as const)('on %s with %j is %s', (platform, environment, expected) => {
    expect(userFolder(environment, platform, '/home/a')).toBe(join(expected))
  })
})
