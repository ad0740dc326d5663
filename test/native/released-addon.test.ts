/** The addon of a release, which a clone takes from a server if it was built from the same sources. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prebuiltAddon } from '#synoptic/native/addon/prebuilt.js'
import {
  fetchReleasedAddon,
  platformName,
  sourcesHash,
  writeRelease,
} from '../../tools/released-addon.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const built = [join(project, 'build', 'Release', 'synoptic.node'), prebuiltAddon(project)].find(
  (file) => existsSync(file),
)
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-released-'))
const [clone, release] = [join(scratch, 'clone'), join(scratch, 'release')]
const own = join(clone, 'build', 'Release', 'synoptic.node')
const released = join(release, `synoptic-${platformName()}.node`)
const put = (file: string, content: string | Buffer) => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content)
}

let server: Server
let base = ''
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const file = join(release, url)
    if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end('none')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(scratch, { recursive: true })
})
beforeEach(() => {
  for (const folder of [clone, release]) rmSync(folder, { recursive: true, force: true })
  put(join(clone, 'CMakeLists.txt'), 'project(synoptic)\n')
  put(join(clone, 'native', 'core', 'one.cpp'), 'int one;\n')
  put(join(clone, 'prebuilds', platformName(), 'synoptic.node'), readFileSync(String(built)))
  writeRelease(clone, release)
})

const fetched = () => fetchReleasedAddon(base, clone, own)

it('names platforms as packages do', () => {
  expect(prebuiltAddon('')).toBe(join('prebuilds', platformName(), 'synoptic.node'))
})

describe('the addon of a release', () => {
  it('is taken if it fits', async () => {
    await fetched()
    expect(readFileSync(own).equals(readFileSync(String(built)))).toBe(true)
  })

  it('fits sources with other ends of lines', async () => {
    put(join(clone, 'native', 'core', 'one.cpp'), 'int one;\r\n')
    await fetched()
    expect(existsSync(own)).toBe(true)
  })

  it.each<[string, () => void, RegExp]>([
    ['of another hash', () => writeFileSync(released, 'else'), /^expected the SHA-256 \w{64}, rec/],
    [
      'of other sources',
      () => put(join(clone, 'native', 'core', 'one.cpp'), 'int two;\n'),
      /^it was built from other native sources$/,
    ],
    [
      'of more sources',
      () => put(join(clone, 'native', 'binding', 'two.h'), ''),
      /^it was built from other native sources$/,
    ],
    ['that is missing', () => rmSync(released), /synoptic-[\w-]+\.node answered 404$/],
    ['without a list', () => rmSync(join(release, 'addons.json')), /addons\.json answered 404$/],
    ['with a broken list', () => writeFileSync(join(release, 'addons.json'), '{'), /JSON/],
    [
      'of other platforms',
      () => {
        const list = { sources: sourcesHash(clone), addons: { 'plan9-x64': '' } }
        writeFileSync(join(release, 'addons.json'), JSON.stringify(list))
      },
      /^the release has none for /,
    ],
    [
      'that does not load',
      () => {
        writeFileSync(join(clone, 'prebuilds', platformName(), 'synoptic.node'), 'no library')
        writeRelease(clone, release)
      },
      /^it does not load: /,
    ],
  ])('%s is not', async (_, change, message) => {
    change()
    await expect(fetched()).rejects.toThrow(message)
    expect(existsSync(own)).toBe(false)
    expect(existsSync(`${own}.fetched`)).toBe(false)
  })
})

it('no release without an addon is written', () => {
  rmSync(join(clone, 'prebuilds', platformName()), { recursive: true })
  expect(() => writeRelease(clone, release)).toThrow('prebuilds has no addon')
})

describe('npm ci without a compiler', () => {
  const env = { ...process.env, PATH: join(scratch, 'empty'), CXX: '' }
  const install = async () => {
    for (const tool of ['build-addon.js', 'released-addon.js'])
      cpSync(join(project, 'tools', tool), join(clone, 'tools', tool))
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
    const words = [join(clone, 'tools', 'build-addon.js')]
    const options = { env: { ...env, SYNOPTIC_ADDON_URL: base } }
    return promisify(execFile)(process.execPath, words, options).catch((error: unknown) => error)
  }

  it('takes the addon of a release', async () => {
    const { stdout } = (await install()) as { stdout: string }
    expect(stdout).toMatch(/is fetched\n$/)
  })

  it('says why not, and which packages are missing', async () => {
    rmSync(released)
    const { stderr } = (await install()) as { stderr: string }
    expect(stderr).toMatch(/is not used: \S+ answered 404; compiling it\nSynoptic needs\n/)
    expect(stderr).toContain('Debian, Ubuntu  apt-get install cmake make g++')
  })
})
