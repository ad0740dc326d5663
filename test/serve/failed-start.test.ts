/** A start that fails leaves nothing behind in its process. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { ListenError } from '#synoptic/base/errors/index.js'
import { createMetrics } from '#synoptic/server/metrics/metrics.js'
import { textOf } from '#synoptic/server/metrics/merge.js'
import { start } from '#synoptic/server/serve/start.js'
import { build, row, useFolder } from '../catalogue/shelf.js'

it('is watched by no metrics where a port is taken', async () => {
  const folder = useFolder()
  build(catalogueFile(folder), { name: 'anime', columns: ['synopsis'], rows: [row(1)] })
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const folders = ['data', 'models', 'embeddings'].map((name) => `--${name}-dir=${folder}`)
  const flags = [...folders, '--port=0', '--host=127.0.0.1', `--status-port=${port}`, '--workers=1']
  const { settings } = readSettings(serverSettings, flags, {})
  const metrics = { ...createMetrics('1'), watch: vi.fn() }
  const services = { logger: pino({ level: 'silent' }), metrics, rateLimits: new Map() }
  const starting = start(settings, {
    ...services,
    access: undefined,
    metricsText: () => textOf(metrics),
  })
  await expect(starting).rejects.toThrow(ListenError)
  expect(metrics.watch).not.toHaveBeenCalled()
})
