/** The package, packed by npm and unpacked in an empty project, beside the dependencies that it names and no others. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extract } from 'tar'
import { prebuiltAddon } from '#synoptic/native/prebuilt.js'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** @param folder an empty one; gets node_modules and a package.json */
export async function installPackage(folder: string): Promise<void> {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const packed = spawnSync('npm', words, {
    ...{ cwd: project, encoding: 'utf8', maxBuffer: 1e8, shell: process.platform === 'win32' },
  })
  const [{ filename } = { filename: '' }] = Object.values(
    JSON.parse(packed.stdout) as Record<string, { filename: string }>,
  )
  const root = join(folder, 'node_modules', 'synoptic')
  mkdirSync(root, { recursive: true })
  await extract({ file: join(folder, filename), cwd: root, strip: 1 })
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
  const link = (from: string, place: string) => {
    mkdirSync(dirname(place), { recursive: true })
    if (existsSync(from)) symlinkSync(from, place, 'junction')
  }
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    link(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  // What the install script puts there for an old Node.
  const forNode20 = join('tools', 'node20', 'node_modules')
  link(join(project, forNode20), join(root, forNode20))
  const own = join(project, 'build', 'Release', 'synoptic.node')
  if (existsSync(own)) {
    mkdirSync(dirname(prebuiltAddon(root)), { recursive: true })
    cpSync(own, prebuiltAddon(root))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}
