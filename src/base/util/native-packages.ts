/**
 * Packages with compiled libraries. npm's own, which a clone has, bring those of every system: 350 MB. A released package
 * of Synoptic comes with one for its platform that holds what this machine needs (tools/package). That one comes first,
 * since a project may have other versions.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { version } from './version.js'

const require = createRequire(import.meta.url)
const platformPackage = `@synoptic/native-${process.platform}-${process.arch}`

/** @throws an Error with the code ELIBRARY, which says what to install */
export function requireNative(name: string): unknown {
  const folder = nativePackage(name)
  try {
    return require(folder)
  } catch (cause) {
    throw failure(`${name} in ${folder} does not load`, cause)
  }
}

/** The folder of one of them. @throws an Error with the code ELIBRARY, which says what to install */
export function nativePackage(name: string): string {
  const folders = [`${platformPackage}/${name}`, name].flatMap((place) =>
    (require.resolve.paths(place) ?? []).map((modules) => join(modules, place)),
  )
  const folder = folders.find((one) => existsSync(join(one, 'package.json')))
  if (folder === undefined) throw failure(`${name} is not installed`)
  return folder
}

function failure(problem: string, cause?: unknown): Error {
  const message = `${problem}; this machine needs the package ${platformPackage}, version ${version}, in addition to synoptic.`
  return Object.assign(new Error(message, { cause }), { code: 'ELIBRARY' })
}
