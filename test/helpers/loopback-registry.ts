/**
 * A registry of npm on loopback, with packed files and with what is installed in the project, in the versions that
 * are there. So npm itself installs in tests, without a network.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create, list } from 'tar'

const project = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Record<string, string>
}
interface Source {
  readonly manifest: Manifest
  /** The file as npm fetches it. */
  readonly content: () => Buffer
}

/** @param packed files of `npm pack` */
export async function startRegistry(packed: readonly string[]) {
  const sources = [...packed.map(ofFile), ...installed()]
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1))
    const file = files.get(path)
    if (file !== undefined) return void response.end(file)
    const versions = sources
      .filter(({ manifest }) => manifest.name === path)
      .map(({ manifest, content }) => {
        const place = `-/${manifest.name}-${manifest.version}.tgz`
        if (!files.has(place)) files.set(place, content())
        return describe(manifest, files.get(place) ?? Buffer.of(), url + place)
      })
    response.writeHead(versions.length > 0 ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest: versions[0]?.version },
        versions: Object.fromEntries(versions.map((one) => [one.version, one])),
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, close }
}

/** As a registry describes a version. */
function describe(manifest: Manifest, content: Buffer, tarball: string) {
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
  const hasInstallScript = Object.keys(manifest.scripts ?? {}).some((name) =>
    /^(pre|post)?install$/.test(name),
  )
  return { ...manifest, hasInstallScript, dist: { tarball, integrity } }
}

/** A packed folder of the name `package`, as npm makes it. */
export function packFolder(folder: string): Buffer {
  const names = readdirSync(folder).filter((name) => name !== 'node_modules')
  const options = { cwd: folder, prefix: 'package', gzip: { level: 1 }, sync: true } as const
  return create(options, names).read() ?? Buffer.of()
}

function ofFile(file: string): Source {
  let text = ''
  list({
    file,
    sync: true,
    onReadEntry(entry) {
      if (entry.path !== 'package/package.json') return
      entry.on('data', (part: Buffer) => (text += part.toString()))
    },
  })
  return { manifest: JSON.parse(text) as Manifest, content: () => readFileSync(file) }
}

/** What a package of Synoptic may depend on, and what that depends on. */
function installed(): Source[] {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path]) => join(project, path))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({
      manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
      content: () => packFolder(folder),
    }))
}
