/**
 * Passes over all rows of a dataset belong into the core. `node tools/row-loops.js` exits with 1 where a file of src
 * has more such loops than tools/row-loops.json allows it, or fewer. It finds loops by their counter, `for (let row = 0; …`,
 * by that name or `other` or `title`, and lists of all rows, such as `Array.from({ length: rowCount }, …`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))
const allowed = JSON.parse(readFileSync(new URL('row-loops.json', import.meta.url), 'utf8'))
const loop =
  /for \(let (?:row|other|title) = 0;|Array\((?:rowCount|dataset\.rows)\)\.(?:keys|map)|length: (?:rowCount|dataset\.rows) \}/g

const found = new Map()
const files = readdirSync(`${project}/src`, { recursive: true }).filter((file) =>
  file.endsWith('.ts'),
)
for (const name of files) {
  const file = `src/${name.replaceAll('\\', '/')}`
  const count = readFileSync(`${project}/${file}`, 'utf8').match(loop)?.length ?? 0
  if (count > 0) found.set(file, count)
}

const problems = [...new Set([...found.keys(), ...Object.keys(allowed)])].flatMap((file) => {
  const count = found.get(file) ?? 0
  const { loops = 0 } = allowed[file] ?? {}
  if (count === loops) return []
  const remedy =
    count > loops ? 'put the new one into native/core/rows' : 'lower its number in the list'
  return [`${file}: ${count} loops over rows, tools/row-loops.json allows ${loops}: ${remedy}`]
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
