/** deploy/compose.yaml, haproxy.cfg and kubernetes: sound to their programs where there are any, and in accord with each other and the server. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings, variableOf } from '#synoptic/base/config/read.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { noHaproxy } from './haproxy.js'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const base = 'kubernetes/base'
const gpu = 'kubernetes/gpu'
const read = (...words: string[]) => readFileSync(join(deploy, ...words), 'utf8')
/** Requests and workers may take so long after --drain (src/cli/serve.ts). */
const endSeconds = 12

type Labels = Readonly<Record<string, string>>
interface Named {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
}
interface Container {
  readonly name: string
  readonly image: string
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: object
  readonly resources: Readonly<Record<'requests' | 'limits', Labels>>
  readonly volumeMounts?: readonly { readonly name: string }[]
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly startupProbe: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}
interface Deployment extends Named {
  readonly spec: {
    readonly replicas?: number
    readonly selector: { readonly matchLabels: Labels }
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: readonly [Container]
        readonly volumes?: readonly { readonly name: string }[]
        readonly securityContext: object
        readonly terminationGracePeriodSeconds: number
        readonly automountServiceAccountToken: boolean
        readonly enableServiceLinks?: boolean
      }
    }
  }
}
interface Kustomization {
  readonly resources: readonly string[]
  readonly patches?: readonly { readonly path: string }[]
}

const kustomization = (folder: string) => parse(read(folder, 'kustomization.yaml')) as Kustomization
const documents = kustomization(base).resources.flatMap((name) =>
  parseAllDocuments(read(base, name)).map((document) => document.toJS() as Named),
)
const ofKind = <T extends Named>(kind: string) =>
  documents.filter((document) => document.kind === kind) as T[]
const deployments = ofKind<Deployment>('Deployment')
const [synoptic] = deployments.filter(({ metadata }) => metadata.name === 'synoptic') as [
  Deployment,
]
const [server] = synoptic.spec.template.spec.containers

/** What a server makes of these variables; throws at one that is no setting. */
function settingsOf(environment: Readonly<Record<string, string>>) {
  const known = Object.keys(serverSettings).map(variableOf)
  for (const name of Object.keys(environment)) expect(known).toContain(name)
  return readSettings(serverSettings, [], environment).settings
}

describe('deploy/kubernetes', () => {
  it.each([base, gpu])('%s lists files that are there, and all of them', (folder) => {
    const { resources, patches = [] } = kustomization(folder)
    const listed = [
      ...resources.filter((name) => !name.startsWith('..')),
      ...patches.map(({ path }) => path),
    ]
    const there = readdirSync(join(deploy, folder)).filter((name) => name !== 'kustomization.yaml')
    expect(listed.toSorted()).toEqual(there.toSorted())
    for (const name of resources) expect(existsSync(join(deploy, folder, name)), name).toBe(true)
  })

  it('changes for a GPU what the base has', () => {
    const patches = (kustomization(gpu).patches ?? []).map(
      ({ path }) => parse(read(gpu, path)) as Named,
    )
    for (const { kind, metadata } of patches) {
      expect(ofKind(kind).map((document) => document.metadata.name)).toContain(metadata.name)
    }
    const [container] = (patches.find(({ kind }) => kind === 'Deployment') as Deployment).spec
      .template.spec.containers
    expect(container.name).toBe(server.name)
    expect(container.resources.limits).toEqual({ 'nvidia.com/gpu': '1' })
    const environment = Object.fromEntries(
      (container.env ?? []).map(({ name, value }) => [name, value]),
    )
    expect(settingsOf(environment).gpuMemoryLimit).toEqual({ kind: 'auto' })
  })

  it('selects what there is', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
    const isThere = (selector: Labels) =>
      labels.some((found) =>
        Object.entries(selector).every(([name, value]) => found[name] === value),
      )
    for (const { spec } of deployments) expect(isThere(spec.selector.matchLabels)).toBe(true)
    const ports = deployments.flatMap(({ spec }) =>
      spec.template.spec.containers[0].ports.map(({ name }) => name),
    )
    const services = ofKind<
      Named & { spec: { selector: Labels; ports: { targetPort: string }[] } }
    >('Service')
    expect(services).toHaveLength(2)
    for (const { spec } of services) {
      expect(isThere(spec.selector)).toBe(true)
      expect(ports).toContain(spec.ports[0]?.targetPort)
    }
    const policies = ofKind<Named & { spec: { podSelector: { matchLabels: Labels } } }>(
      'NetworkPolicy',
    )
    expect(policies).toHaveLength(2)
    for (const { spec } of policies) expect(isThere(spec.podSelector.matchLabels)).toBe(true)
    const [budget] = ofKind<Named & { spec: { selector: { matchLabels: Labels } } }>(
      'PodDisruptionBudget',
    )
    expect(isThere(budget?.spec.selector.matchLabels ?? {})).toBe(true)
    const [autoscaler] = ofKind<Named & { spec: { scaleTargetRef: object; minReplicas: number } }>(
      'HorizontalPodAutoscaler',
    )
    expect(autoscaler?.spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: 'synoptic' })
    // The two would change it in turn.
    expect(synoptic.spec.replicas).toBeUndefined()
  })

  it.each(deployments)('confines $metadata.name', ({ spec: { template } }) => {
    const {
      containers,
      securityContext,
      automountServiceAccountToken,
      volumes = [],
    } = template.spec
    expect(automountServiceAccountToken).toBe(false)
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const [container] = containers
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources.limits).toHaveProperty('memory')
    const mounted = (container.volumeMounts ?? []).map(({ name }) => name)
    expect(volumes.map(({ name }) => name)).toEqual(mounted)
  })

  it('sets what there is, and stops in accord with it', () => {
    const { template } = synoptic.spec
    const settings = settingsOf(
      Object.fromEntries((server.env ?? []).map(({ name, value }) => [name, value])),
    )
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(settings.drain + endSeconds)
    const { readinessProbe, livenessProbe, startupProbe } = server
    expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(
      settings.drain,
    )
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    for (const { httpGet } of [livenessProbe, startupProbe])
      expect(httpGet).toEqual({ path: '/livez', port: 'http' })
    expect(server.ports).toEqual([{ name: 'http', containerPort: 8000 }])
    // The Service of this name would set SYNOPTIC_PORT to an URL.
    expect(template.spec.enableServiceLinks).toBe(false)
    const stores = ofKind('Service').map(({ metadata }) => `redis://${metadata.name}:6379`)
    expect(stores).toContain(settings.rateStore)
  })

  it('is sound to the schemas of Kubernetes', ({ skip }) => {
    if (spawnSync('kubernetes-validate', ['--version']).error)
      skip('there is no kubernetes-validate: pip install kubernetes-validate')
    const files = kustomization(base).resources.map((name) => join(deploy, base, name))
    const { status, stdout, stderr } = spawnSync(
      'kubernetes-validate',
      ['--strict', '--quiet', ...files],
      { encoding: 'utf8' },
    )
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })

  it.for([base, gpu])('%s is put together by kustomize', (folder, { skip }) => {
    const { error, status, stdout, stderr } = spawnSync(
      'kubectl',
      ['kustomize', join(deploy, folder)],
      {
        encoding: 'utf8',
      },
    )
    if (error) skip('there is no kubectl')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as Named).kind)
    expect(kinds.toSorted()).toEqual(documents.map(({ kind }) => kind).toSorted())
    expect(stdout).not.toMatch(/image: synoptic$/m)
  })
})

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly deploy?: { readonly replicas: number }
  readonly stop_grace_period?: string
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[]
  readonly read_only: boolean
}

describe('deploy/compose.yaml', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, Service> & { replica: Service }
  }
  const balancer = read('haproxy.cfg')
  const { replica } = services

  it('names files and services that there are', () => {
    const { context = '', dockerfile = '' } = replica.build ?? {}
    expect(existsSync(join(deploy, context, dockerfile))).toBe(true)
    const files = Object.values(services).flatMap(({ volumes = [] }) => volumes)
    for (const file of files)
      expect(existsSync(join(deploy, file.split(':')[0] ?? '')), file).toBe(true)
    for (const { depends_on = [], read_only } of Object.values(services)) {
      for (const name of depends_on) expect(Object.keys(services)).toContain(name)
      expect(read_only).toBe(true)
    }
    const { rateStore } = settingsOf(replica.environment ?? {})
    expect(Object.keys(services)).toContain(new URL(rateStore).hostname)
    expect(balancer).toContain(`server-template replica ${replica.deploy?.replicas} replica:8000 `)
  })

  it('stops a replica after the balancer has noticed, and not before requests have ended', () => {
    const { drain, requestTimeout } = settingsOf(replica.environment ?? {})
    expect(Number.parseInt(replica.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + endSeconds)
    const [, inter = '', fall = ''] = /inter (\d+)s .*fall (\d+)/.exec(balancer) ?? []
    expect(Number(inter) * Number(fall)).toBeLessThan(drain)
    const [, timeout = ''] = /timeout server (\d+)s/.exec(balancer) ?? []
    expect(Number(timeout)).toBeGreaterThan(requestTimeout)
  })

  it('has a balancer that HAProxy takes', ({ skip }) => {
    if (noHaproxy !== undefined) skip(noHaproxy)
    const { status, stderr } = spawnSync(
      'haproxy',
      ['-c', '-q', '-f', join(deploy, 'haproxy.cfg')],
      { encoding: 'utf8' },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
