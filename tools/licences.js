/**
 * The licences of all dependencies, from the lock files: writes THIRD-PARTY.md, or with `--check` fails where
 * that file is out of date. It fails in any case at a licence that is not permissive.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = 'THIRD-PARTY.md'
/** SPDX identifiers of licences that ask for no more than a notice. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])
/** Of tools that nothing of ours contains: licences that bind only who changes these tools, or their data. */
const toolsOnly = new Set(['CC-BY-3.0', 'CC-BY-4.0', 'MPL-2.0'])
/** What tools/build-page.js puts into the page, though it is installed for development. */
const bundled = new Set(['preact', '@preact/signals', '@preact/signals-core', 'swagger-ui-dist'])

/** What Node 20 gets in addition (tools/build-sqlite.js) has its own lock. */
const locks = ['package-lock.json', 'tools/node20/package-lock.json'].filter((path) =>
  existsSync(path),
)
const all = locks
  .flatMap((lock) => Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages))
  // The rest is ours: the project, and folders of it that a package is replaced by.
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, { version, license, dev }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return {
      name,
      version,
      licence: license ?? 'unknown',
      isTool: dev === true && !bundled.has(name),
    }
  })
const refused = all.filter(({ licence, isTool }) => !isAllowed(licence, isTool))
for (const { name, version, licence } of refused)
  console.error(`${name} ${version}: ${licence} is no permissive licence`)

const text = describe(all)
if (process.argv[2] !== '--check') writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error(`${file} is out of date; run \`node tools/licences.js\``)
  process.exitCode = 1
}
if (refused.length > 0) process.exitCode = 1

/** `(MIT OR GPL-2.0)` leaves the choice; `AND` requires each. */
function isAllowed(expression, isTool) {
  const fits = (id) => permissive.has(id) || (isTool && toolsOnly.has(id))
  return expression
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every(fits))
}

function describe(all) {
  const table = (rows) => {
    const lines = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
    return ['| package | version | licence |', '|---|---|---|', ...new Set(lines.sort())].join('\n')
  }
  return `# Third-party licences

Made by \`node tools/licences.js\` from the lock files; \`npm run check\` compares it and refuses licences that are not permissive.
The text of each licence is in the folder of its package in \`node_modules\`.

## What is installed or bundled with Synoptic

${table(all.filter(({ isTool }) => !isTool))}

## Data

| data | version | file | licence |
|---|---|---|---|
| WordNet, Princeton University | 3.1 | data/query/synonyms.json | [WordNet](data/query/WORDNET-LICENSE) |

## Tools of development

${table(all.filter(({ isTool }) => isTool))}
`
}
