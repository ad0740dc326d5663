/**
 * The layers of src/ and of native/core, from layers.json and native/layers.json. `node tools/layers.js`
 * exits with 1 where the arrows of a file form a circle, or where its table in docs/design.md differs from
 * it; `--write` rewrites the tables.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const designFile = new URL('../docs/design.md', import.meta.url)
const files = ['layers.json', 'native/layers.json']

const design = readFileSync(designFile, 'utf8')
const current = files.reduce(withTable, design)

if (process.argv.includes('--write')) writeFileSync(designFile, current)
else if (current !== design) {
  console.error(`docs/design.md: a table of layers differs from ${files.join(' or ')}; run`)
  console.error('  node tools/layers.js --write')
  process.exitCode = 1
}

/** The page with the table of `file` as it should be. */
function withTable(page, file) {
  const [begin, end] = [`<!-- ${file} -->\n`, `<!-- end of ${file} -->\n`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/design.md: expected ${begin}and ${end}`)
  const layers = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
  checkGroups(layers)
  return `${before}${begin}${draw(layers, file)}${end}${after}`
}

/** A table, the top floor first. A folder that lower rows import already is named by them alone. */
function draw(layers, file) {
  const floors = new Map(
    Object.keys(layers).map((folder) => [folder, floorOf(folder, layers, file)]),
  )
  const rows = [...floors]
    .toSorted(([, a], [, b]) => b - a)
    .map(([folder, floor]) => {
      const { purpose } = layers[folder]
      return `| ${floor} | \`${folder}\` | ${purpose} | ${direct(folder, layers).join(', ')} |`
    })
  return ['', '| floor | folder | what | imports |', '|---|---|---|---|', ...rows, '', ''].join(
    '\n',
  )
}

/** Floor 1 imports nothing; every folder is above all that it imports. */
function floorOf(folder, layers, file, above = []) {
  if (above.includes(folder)) throw new Error(`${file}: a circle ${[...above, folder].join(' > ')}`)
  const { imports } = layers[folder] ?? {}
  if (imports === undefined) throw new Error(`${file}: there is no folder ${folder}`)
  const below = imports.map((next) => floorOf(next, layers, file, [...above, folder]))
  return 1 + Math.max(0, ...below)
}

/** The arrows that no other arrow implies. */
function direct(folder, layers) {
  const { imports } = layers[folder]
  return imports.filter((below) => !imports.some((other) => reaches(other, below, layers)))
}

/** Throws if groups of folders, such as data and search, import each other in a circle. */
function checkGroups(layers) {
  const groups = {}
  for (const [folder, { imports }] of Object.entries(layers)) {
    const group = folder.split('/')[0]
    groups[group] ??= { imports: [] }
    for (const next of imports.map((name) => name.split('/')[0]))
      if (next !== group) groups[group].imports.push(next)
  }
  for (const group of Object.keys(groups)) floorOf(group, groups, 'layers.json, groups')
}

function reaches(folder, below, layers) {
  return layers[folder].imports.some((next) => next === below || reaches(next, below, layers))
}
