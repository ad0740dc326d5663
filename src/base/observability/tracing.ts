/**
 * Traces of requests, sent to where OTEL_EXPORTER_OTLP_ENDPOINT (or …_TRACES_ENDPOINT) says, by the
 * usual variables of OpenTelemetry. Without one nothing of it is even loaded.
 */
import type { AttributeValue, Attributes, Context } from '@opentelemetry/api'
import { version } from '../util/version.js'

export interface Tracing {
  request(request: RequestTrace): void
  /** Sends what is queued. */
  close(): Promise<void>
}

interface RequestTrace {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly requestId: string
  readonly problem?: string | undefined
  /** By performance.now(). */
  readonly begunMs: number
  readonly endedMs: number
  /** Milliseconds by name, in the order in which they came one after the other. */
  readonly phases?: Readonly<Record<string, number>> | undefined
  /** Header `traceparent` of the request. */
  readonly parent?: string | undefined
}

/** Undefined where no endpoint is set. */
export async function openTracing(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = environment
  if ((all ?? '') === '' && (own ?? '') === '') return undefined
  const [api, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  const name = environment.OTEL_SERVICE_NAME ?? 'synoptic'
  const service = { 'service.name': name, 'service.version': version }
  const provider = new sdk.BasicTracerProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(service)),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('synoptic', version)
  const timeOf = (ms: number) => performance.timeOrigin + ms

  function parentOf(header: string | undefined): Context {
    const [, traceId, spanId, flags] = traceParent.exec(header ?? '') ?? []
    if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
    const traceFlags = Number.parseInt(flags ?? '0', 16)
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }

  return {
    request({ route, method, status, requestId, problem, begunMs, endedMs, phases = {}, parent }) {
      const attributes = withoutUndefined({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'error.type': problem,
        'synoptic.request_id': requestId,
      })
      const options = { kind: SpanKind.SERVER, startTime: timeOf(begunMs), attributes }
      const span = tracer.startSpan(`${method} ${route}`, options, parentOf(parent))
      const context = trace.setSpan(ROOT_CONTEXT, span)
      // Phases follow each other and end with the request.
      let startMs = endedMs - Object.values(phases).reduce((sum, ms) => sum + ms, 0)
      for (const [phase, ms] of Object.entries(phases)) {
        tracer
          .startSpan(phase, { startTime: timeOf(startMs) }, context)
          .end(timeOf((startMs += ms)))
      }
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(timeOf(endedMs))
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

/** W3C trace context, version 00. */
const traceParent = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

const withoutUndefined = (attributes: Record<string, AttributeValue | undefined>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
