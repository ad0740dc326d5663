/**
 * The layers of native/core, from native/layers.json. `node tools/native-layers.js` exits with 1 where a
 * folder includes another one that the file does not allow, where a file of the core lies outside the
 * folders, or where an include of the core does not name its folder. Circles in the data are refused by
 * tools/layers.js, which draws it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const core = fileURLToPath(new URL('../native/core', import.meta.url))
const layers = JSON.parse(readFileSync(new URL('../native/layers.json', import.meta.url), 'utf8'))
/** Headers of other libraries and of the CUDA interface, which lie on include paths of their own. */
const outside = new Set(['simde_avx512.h', 'synoptic_cuda.h'])

const problems = sourcesOf('').flatMap((file) => problemsOf(file))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function sourcesOf(folder) {
  return readdirSync(join(core, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesOf(path)
    return /\.(h|cpp)$/.test(path) ? [path] : []
  })
}

function problemsOf(file) {
  const [folder, name] = file.split('/')
  const layer = layers[folder]
  if (name === undefined || layer === undefined) {
    return [`native/core/${file}: native/layers.json has no folder for it`]
  }
  const text = readFileSync(join(core, file), 'utf8')
  return [...text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)].flatMap(([, included]) => {
    if (outside.has(included)) return []
    const [below, rest] = included.split('/')
    if (rest === undefined) return [`native/core/${file}: "${included}" does not name its folder`]
    if (below === folder || layer.imports.includes(below)) return []
    const allowed = layer.imports.join(', ') || 'no other folder'
    return [`native/core/${file}: ${folder} may include ${allowed}; it includes "${included}"`]
  })
}
