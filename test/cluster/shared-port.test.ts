import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  canReusePort,
  readSharedPort,
  sharedPortVariable,
  sharePort,
} from '#synoptic/server/cluster/shared-port.js'
import { freePort } from '../helpers/sockets.js'

describe('reusePort', () => {
  it.each([
    ['20.19.0', false],
    ['22.11.9', false],
    ['22.12.0', true],
    ['22.22.1', true],
    ['23.0.0', false],
    ['23.1.0', true],
    ['24.0.0', true],
    ['100.0.0', true],
  ])('in Node %s on Linux is there: %s', (version, isThere) => {
    expect(canReusePort(version, 'linux')).toBe(isThere)
  })

  it.each(['darwin', 'win32'] as const)('is not used on %s', (platform) => {
    expect(canReusePort('24.0.0', platform)).toBe(false)
  })
})

describe('the port that workers read', () => {
  it('is the one that the primary shares', () => {
    expect(readSharedPort({ [sharedPortVariable]: '8000' })).toBe(8000)
  })

  it('is none where node:cluster shares it', () => {
    expect(readSharedPort({ [sharedPortVariable]: '' })).toBeUndefined()
    expect(readSharedPort({})).toBeUndefined()
  })
})

/** Listens on the port of others, as a worker does. */
async function listenToo(port: number): Promise<() => void> {
  const server = createServer((socket) => socket.end('worker'))
  const options = { host: '127.0.0.1', port, reusePort: true }
  server.listen(options)
  await once(server, 'listening')
  return () => void server.close()
}

describe('sharing a port', () => {
  it('keeps a port that is named', async () => {
    const port = await freePort()
    const { environment, release } = await sharePort('127.0.0.1', port)
    expect(readSharedPort(environment)).toBe(canReusePort() ? port : undefined)
    release()
  })

  it.skipIf(!canReusePort())('reserves a free port until the workers listen on it', async () => {
    const { environment, release } = await sharePort('127.0.0.1', 0)
    const port = readSharedPort(environment) ?? NaN
    const other = createServer().listen(port, '127.0.0.1')
    expect(await once(other, 'error')).toMatchObject([{ code: 'EADDRINUSE' }])
    const closeFirst = await listenToo(port)
    const closeSecond = await listenToo(port)
    release()
    for (let i = 0; i < 20; i++) {
      const [text] = (await once(connect(port, '127.0.0.1'), 'data')) as [Buffer]
      expect(text.toString()).toBe('worker')
    }
    closeFirst()
    closeSecond()
  })

  it.skipIf(!canReusePort())('says that the address is none of this machine', async () => {
    await expect(sharePort('203.0.113.7', 0)).rejects.toThrow('--host')
  })
})
