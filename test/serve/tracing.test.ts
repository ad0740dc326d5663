import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { openScene } from '../faults/scene.js'
import { deathNote } from './child.js'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { key: string; value: object }[]
}
interface Traces {
  readonly resourceSpans: {
    readonly resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    readonly scopeSpans: { readonly spans: Span[] }[]
  }[]
}

it('sends a span for each request and each of its phases to the address that OpenTelemetry is given', async () => {
  const received: Traces[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      expect(request.url).toBe('/v1/traces')
      received.push(JSON.parse(body) as Traces)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const server = await openScene([], [], {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await fetch(`${server.origin}/searchmodel/anime`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify(deathNote),
  })
  await fetch(`${server.origin}/nothing`, { headers: { traceparent: 'nonsense' } })
  // What is queued is sent before the end.
  expect(await server.stop()).toBe(0)
  collector.close()

  const all = received.flatMap(({ resourceSpans }) => resourceSpans)
  const names = all.flatMap(({ resource }) => resource.attributes)
  expect(names).toContainEqual({ key: 'service.name', value: { stringValue: 'synoptic' } })
  const spans = all.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  const search = spans.find(({ name }) => name === 'POST /searchmodel/anime')
  expect(search).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  const phases = spans.filter(({ parentSpanId }) => parentSpanId === search?.spanId)
  expect(phases.map(({ name }) => name)).toEqual(['queue', 'tokenize', 'infer', 'scan', 'hydrate'])
  for (const { startTimeUnixNano, endTimeUnixNano } of phases) {
    expect(BigInt(startTimeUnixNano)).toBeLessThanOrEqual(BigInt(endTimeUnixNano))
  }
  const lost = spans.find(({ name }) => name === 'GET none')
  expect(lost?.traceId).not.toBe(traceId)
  expect(lost?.attributes).toContainEqual({
    key: 'error.type',
    value: { stringValue: 'not-found' },
  })
  expect(JSON.stringify(received)).not.toContain('notebook')
})
