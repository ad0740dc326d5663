/** Files of deploy/ that put the vectors into OpenSearch: in accord with the others, the server and its commands. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { commands } from '#synoptic/cli/command-table.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { indexSettings, serverSettings } from '#synoptic/base/config/settings.js'
import { describeUnknownVariables } from '#synoptic/base/config/unknown-variables.js'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const overlay = 'kubernetes/opensearch'
const read = (...words: string[]) => readFileSync(join(deploy, ...words), 'utf8')

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
interface Container {
  readonly name: string
  readonly args?: readonly string[]
  readonly env: readonly Variable[]
  readonly securityContext?: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface Workload {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [Container]
        readonly volumes: readonly { readonly name: string }[]
        readonly securityContext?: object
        readonly automountServiceAccountToken?: boolean
      }
    }
  }
}

const environmentOf = ({ env }: Container) =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef.key]),
  )

describe('deploy/kubernetes/opensearch', () => {
  const job = parse(read(overlay, 'publish.yaml')) as Workload
  const patch = parse(read(overlay, 'deployment.yaml')) as Workload
  const [publisher] = job.spec.template.spec.containers
  const [server] = patch.spec.template.spec.containers

  it('lists files that are there, and all of them', () => {
    const { resources, patches } = parse(read(overlay, 'kustomization.yaml')) as {
      resources: string[]
      patches: { path: string }[]
    }
    const listed = [...resources, ...patches.map(({ path }) => path)]
    const there = readdirSync(join(deploy, overlay)).filter((name) => name !== 'kustomization.yaml')
    expect(listed.filter((name) => !name.startsWith('..')).toSorted()).toEqual(there.toSorted())
    expect(existsSync(join(deploy, overlay, '../base'))).toBe(true)
  })

  it('sets what there is, alike for servers and publication', () => {
    for (const container of [publisher, server]) {
      expect(describeUnknownVariables(environmentOf(container))).toEqual([])
      const secrets = container.env.filter(({ valueFrom }) => valueFrom !== undefined)
      expect(secrets.map(({ name }) => name)).toEqual([
        'SYNOPTIC_INDEX_USERNAME',
        'SYNOPTIC_INDEX_PASSWORD',
      ])
    }
    const served = readSettings(serverSettings, [], environmentOf(server)).settings
    const { settings } = readSettings(indexSettings, [], environmentOf(publisher))
    expect(served.index).toBe('opensearch')
    for (const name of ['indexUrl', 'indexCa', 'indexPrefix'] as const)
      expect(settings[name]).toEqual(served[name])
    for (const { volumeMounts } of [publisher, server])
      expect(volumeMounts.map(({ mountPath }) => `${mountPath}/ca.pem`)).toContain(served.indexCa)
  })

  it('publishes by a command that there is, confined as a server is', async () => {
    const [group = '', name = '', ...words] = publisher.args ?? []
    const entry = commands.get(`${group} ${name}`)
    const { help = '' } = (await entry?.load()) ?? {}
    for (const word of words.filter((word) => word.startsWith('--'))) expect(help).toContain(word)
    const { spec } = job.spec.template
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(publisher.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    for (const { spec } of [job, patch]) {
      const [container] = spec.template.spec.containers
      const mounted = container.volumeMounts.map(({ name }) => name)
      expect(spec.template.spec.volumes.map(({ name }) => name)).toEqual(mounted)
    }
  })

  it('changes a container that the base has', () => {
    const base = parse(read('kubernetes/base/deployment.yaml')) as Workload
    expect(patch.metadata.name).toBe(base.metadata.name)
    expect(server.name).toBe(base.spec.template.spec.containers[0].name)
  })

  it('is sound to the schemas of Kubernetes', ({ skip }) => {
    if (spawnSync('kubernetes-validate', ['--version']).error)
      skip('there is no kubernetes-validate: pip install kubernetes-validate')
    const files = ['publish.yaml', 'network-policy.yaml'].map((name) => join(deploy, overlay, name))
    const { status, stdout, stderr } = spawnSync(
      'kubernetes-validate',
      ['--strict', '--quiet', ...files],
      { encoding: 'utf8' },
    )
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })

  it('is put together by kustomize', ({ skip }) => {
    const words = ['kustomize', join(deploy, overlay)]
    const { error, status, stdout, stderr } = spawnSync('kubectl', words, { encoding: 'utf8' })
    if (error) skip('there is no kubectl')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Workload)
    expect(documents.map(({ kind }) => kind)).toContain('Job')
    expect(stdout).not.toMatch(/image: synoptic$/m)
  })
})

interface Service {
  readonly command?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
}

describe('deploy/compose.opensearch.yaml', () => {
  const { services } = parse(read('compose.opensearch.yaml')) as {
    services: Record<'replica' | 'publish' | 'opensearch', Service>
  }
  const { services: others } = parse(read('compose.yaml')) as { services: object }

  it('adds to services and settings that there are', () => {
    expect(Object.keys(others)).toContain('replica')
    for (const { depends_on = {} } of Object.values(services))
      for (const name of Object.keys(depends_on)) expect(Object.keys(services)).toContain(name)
    const { replica, publish } = services
    for (const { environment } of [replica, publish])
      expect(describeUnknownVariables(environment)).toEqual([])
    const { settings } = readSettings(serverSettings, [], replica.environment)
    expect(settings.index).toBe('opensearch')
    expect(new URL(settings.indexUrl[0] ?? '').hostname).toBe('opensearch')
    expect(publish.environment.SYNOPTIC_INDEX_URL).toBe(replica.environment.SYNOPTIC_INDEX_URL)
    expect([...commands.keys()]).toContain(publish.command?.slice(0, 2).join(' '))
  })
})
