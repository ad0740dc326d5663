/**
 * The layers of src/, from layers.json. `node tools/layers.js` exits with 1 where the arrows of the file
 * form a circle, or where the table in docs/design.md differs from it; `--write` rewrites the table.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const [begin, end] = ['<!-- layers.json -->\n', '<!-- end of layers.json -->\n']
const designFile = new URL('../docs/design.md', import.meta.url)
const layers = JSON.parse(readFileSync(new URL('../layers.json', import.meta.url), 'utf8'))

const design = readFileSync(designFile, 'utf8')
const [before, rest] = design.split(begin)
const after = rest?.split(end)[1]
if (after === undefined) throw new Error(`docs/design.md: expected ${begin}and ${end}`)
const current = `${before}${begin}${draw()}${end}${after}`

if (process.argv.includes('--write')) writeFileSync(designFile, current)
else if (current !== design) {
  console.error('docs/design.md: the table of layers differs from layers.json; run')
  console.error('  node tools/layers.js --write')
  process.exitCode = 1
}

/** A table, the top floor first. A folder that lower rows import already is named by them alone. */
function draw() {
  const rows = Object.keys(layers)
    .toSorted((a, b) => floorOf(b) - floorOf(a))
    .map((folder) => {
      const { purpose } = layers[folder]
      return `| ${floorOf(folder)} | \`${folder}\` | ${purpose} | ${direct(folder).join(', ')} |`
    })
  return ['', '| floor | folder | what | stands on |', '|---|---|---|---|', ...rows, '', ''].join(
    '\n',
  )
}

/** Floor 1 imports nothing; every folder stands above all that it imports. */
function floorOf(folder, above = []) {
  if (above.includes(folder))
    throw new Error(`layers.json: a circle ${[...above, folder].join(' > ')}`)
  const { imports } = layers[folder] ?? {}
  if (imports === undefined) throw new Error(`layers.json: there is no folder ${folder}`)
  return 1 + Math.max(0, ...imports.map((below) => floorOf(below, [...above, folder])))
}

/** The arrows that no other arrow implies. */
function direct(folder) {
  const { imports } = layers[folder]
  return imports.filter((below) => !imports.some((other) => reaches(other, below)))
}

function reaches(folder, below) {
  return layers[folder].imports.some((next) => next === below || reaches(next, below))
}
