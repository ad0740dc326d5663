/** What `npm pack` puts into the package: what runs and what compiles, and nothing of the workshop. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  private?: boolean
  bin: Record<string, string>
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const read = (path: string) => readFileSync(join(project, path), 'utf8')

interface Pack {
  readonly size: number
  readonly files: readonly { path: string; size: number }[]
}
let pack: Pack
let paths: ReadonlySet<string>
const isPacked = (path: string) =>
  paths.has(path) || [...paths].some((packed) => packed.startsWith(`${path.replace(/\/$/, '')}/`))
const scripts = () => [...paths].filter((path) => /^dist\/(?!web\/).*\.js$/.test(path))

beforeAll(() => {
  // Without scripts: `prepare` would build the page again under the tests that read it.
  const { stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  })
  expect(stderr).not.toContain('npm error')
  // npm 12 names the package; those before it list one.
  const packs = Object.values(JSON.parse(stdout) as Record<string, Pack>)
  expect(packs).toHaveLength(1)
  for (const one of packs) pack = one
  paths = new Set(pack.files.map(({ path }) => path))
})

describe('the package', () => {
  it('may be published, and is at most 18 MB', () => {
    expect(manifest.private).toBeUndefined()
    expect(pack.size).toBeLessThan(18e6)
    const own = pack.files.filter(({ path }) => !path.startsWith('prebuilds/'))
    expect(own.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(32e6)
  })

  it('has no test, no bench, nothing of the build and no file of somebody', () => {
    const others =
      /(^|\/)(test|bench|node_modules|build|build-[^/]*|logs|embeddings|\.[^/]+)\/|^dist\/.*\.map$|\.(tsbuildinfo|log|sqlite|tgz)$|\.test\./
    expect([...paths].filter((path) => others.test(path))).toEqual([])
    const models = [...paths].filter((path) => /^models\/(?!builtin\/)/.test(path))
    expect(models.sort()).toEqual(['models/README.md', 'models/catalogue.json'])
  })

  it('leaves out the encoder that would make it too large, and still names it', () => {
    const builtin = [...paths].filter((path) => path.startsWith('models/builtin/'))
    expect(new Set(builtin.map((path) => path.split('/')[2]))).toEqual(
      new Set(['static-en', 'maxsim-en']),
    )
    expect(read('models/catalogue.json')).toContain('"builtin/minilm-anime"')
  })

  it('names no folder of the machine that packed it', () => {
    const folders = [project, dirname(project), process.env.HOME ?? project]
      .map((folder) => folder.replace(/\/$/, ''))
      .filter((folder) => folder.split('/').length > 2)
    const named = [...paths].filter((path) => {
      const content = readFileSync(join(project, path), 'latin1')
      return folders.some((folder) => content.includes(`${folder}/`))
    })
    expect(named).toEqual([])
  })

  it('has every file and folder that the program names in its folder', () => {
    const missing: string[] = []
    let count = 0
    for (const script of scripts()) {
      const named = read(script).matchAll(
        /new URL\(\s*(['"`])(\.[^'"`$]*)[^'"`]*\1,\s*import\.meta/g,
      )
      for (const [, , target = ''] of named) {
        const path = posix.join(posix.dirname(script), target)
        count += 1
        if (!/^\.\/?$/.test(path) && !isPacked(path)) missing.push(`${script}: ${path}`)
      }
    }
    expect(count).toBeGreaterThan(8)
    expect(missing).toEqual([])
  })

  it.each([
    'LICENSE',
    'README.md',
    'THIRD-PARTY.md',
    'dist/web/index.html',
    'dist/web/page.js',
    'dist/web/docs/swagger-ui-bundle.js',
    'dist/web/docs/LICENSE',
    'tools/node20/package-lock.json',
    'models/builtin/static-en/modules.json',
    'models/builtin/maxsim-en/config.json',
    'data/works/anime.jsonl',
    'data/sample/anime.jsonl',
    'native/core/core.cmake',
    'docs/operating.md',
  ])('has %s', (path) => {
    expect(paths).toContain(path)
  })

  it('has its command, what that runs and compiles, and no script of an install', () => {
    for (const path of Object.values(manifest.bin)) expect(paths).toContain(path)
    const tools = read('dist/cli/compile.js').match(/build-[a-z]+\.js/g) ?? []
    expect(tools).toHaveLength(2)
    for (const tool of tools) expect(paths).toContain(`tools/${tool}`)
    expect(Object.keys(manifest.scripts).filter((name) => name.endsWith('install'))).toEqual([])
    const lists = [
      'CMakeLists.txt',
      ...[...paths].filter((path) => /^native\/.*\.cmake$/.test(path)),
    ]
    const folders: Record<string, string> = {
      core: 'native/core',
      binding: 'native/binding',
      kernels: 'native/core/kernels',
    }
    for (const list of lists) {
      for (const [, name = '', file = ''] of read(list).matchAll(/\$\{(\w+)\}\/([\w/]+\.cpp)/g))
        if (folders[name] !== undefined) expect(paths).toContain(`${folders[name]}/${file}`)
      for (const [, file = ''] of read(list).matchAll(/include\((native\/\S+\.cmake)\)/g))
        expect(paths).toContain(file)
    }
  })

  it('depends on every package that it imports', () => {
    const { dependencies, optionalDependencies } = manifest
    const own = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
    const foreign = new Set<string>()
    for (const script of scripts()) {
      for (const [, name = ''] of read(script).matchAll(
        /^(?:import|export|const|let|}|\s+)[^'"\n]*(?:from |import\(|require\()['"]([@a-z][^'"]*)['"]/gm,
      )) {
        const [scope = '', rest = ''] = name.split('/')
        const packageName = scope.startsWith('@') ? `${scope}/${rest}` : scope
        if (!name.startsWith('node:') && !own.has(packageName)) foreign.add(packageName)
      }
    }
    expect([...foreign]).toEqual([])
  })

  it('takes along no tool of the build, and nothing that tells home of an install', () => {
    const others = ['typescript', 'esbuild', 'swagger-ui-dist', '@scarf/scarf', 'prebuild-install']
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>
    }
    const installed = others.filter((name) => {
      const found = packages[`node_modules/${name}`]
      return found !== undefined && found.dev !== true && found.devOptional !== true
    })
    expect(installed).toEqual([])
  })

  it('needs nothing that only a clone has', () => {
    const { dependencies, optionalDependencies } = manifest
    const values = Object.values({ ...dependencies, ...optionalDependencies })
    expect(values.filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([])
    expect(existsSync(join(project, '.npmrc'))).toBe(false)
  })
})
