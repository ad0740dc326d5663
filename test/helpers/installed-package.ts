/** The packages, packed by tools/package and unpacked in an empty project, with the dependencies that they name and no others. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extract } from 'tar'
import { prebuiltAddon } from '#synoptic/native/addon/prebuilt.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  version: string
}
const platform = `${process.platform}-${process.arch}`
const native = `@synoptic/native-${platform}`

/** Packs the program, what it needs on this platform, and its large model. Returns the files. */
export function packPackages(folder: string): Record<'program' | 'native' | 'model', string> {
  const words = [join('tools', 'package', 'package.js'), platform, '--to', folder]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return {
    program: join(folder, `synoptic-${version}.tgz`),
    native: join(folder, `synoptic-native-${platform}-${version}.tgz`),
    model: join(folder, `synoptic-minilm-anime-${version}.tgz`),
  }
}

/** @param folder an empty one; gets node_modules and a package.json */
export async function installPackage(folder: string): Promise<void> {
  const packed = packPackages(folder)
  const modules = join(folder, 'node_modules')
  const root = join(modules, 'synoptic')
  const needed = [
    ...(await unpack(packed.program, root)),
    ...(await unpack(packed.native, join(modules, native))),
    ...(await unpack(packed.model, join(modules, '@synoptic', 'minilm-anime'))),
  ]
  const link = (from: string, place: string) => {
    mkdirSync(dirname(place), { recursive: true })
    if (existsSync(from)) symlinkSync(from, place, 'junction')
  }
  for (const name of needed)
    if (!name.startsWith('@synoptic/'))
      link(join(project, 'node_modules', name), join(modules, name))
  // What `synoptic compile` puts there for an old Node.
  const forNode20 = join('tools', 'node20', 'node_modules')
  link(join(project, forNode20), join(root, forNode20))
  const own = join(project, 'build', 'Release', 'synoptic.node')
  if (existsSync(own)) {
    mkdirSync(dirname(prebuiltAddon(root)), { recursive: true })
    cpSync(own, prebuiltAddon(root))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}

/** The names of what it depends on. */
async function unpack(file: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  await extract({ file, cwd: folder, strip: 1 })
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string> | undefined>
  return Object.keys({ ...dependencies, ...optionalDependencies })
}
