/**
 * Makes the generated files of clients/ from the document of a running server that serves all routes:
 * `synoptic serve --feedback feedback.jsonl --analytics searches.jsonl`, then `node tools/clients/generate.js http://127.0.0.1:8000/openapi.json`.
 * It needs openapi-typescript 7 (SYNOPTIC_TEST_OPENAPI_TYPESCRIPT) and datamodel-code-generator 0.89
 * (SYNOPTIC_TEST_DATAMODEL_CODEGEN); without these names, both on PATH.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { answersOf, keywordsOf, operationsOf, withoutModels } from './document.js'

const [address, into] = process.argv.slice(2)
const clients = fileURLToPath(new URL('../../clients/', import.meta.url))
if (address === undefined) {
  console.error('node tools/clients/generate.js <address or file of /openapi.json> [<folder>]')
  process.exit(2)
}
const target = into === undefined ? clients : resolve(into)
const document = withoutModels(JSON.parse(await read(address)))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-generate-'))
try {
  await typescript()
  python('models.py', answersOf(document), ['--output-model-type', 'pydantic_v2.BaseModel'])
  python('options.py', keywordsOf(document), ['--output-model-type', 'typing.TypedDict'])
  operations()
} finally {
  rmSync(scratch, { recursive: true })
}

async function typescript() {
  const program = process.env.SYNOPTIC_TEST_OPENAPI_TYPESCRIPT ?? 'openapi-typescript'
  const made = join(scratch, 'openapi.ts')
  run(program, [written('openapi.json', document), '-o', made])
  const file = join(target, 'typescript', 'src', 'openapi.ts')
  const settings = JSON.parse(readFileSync(new URL('../../.oxfmtrc.json', import.meta.url), 'utf8'))
  const { code } = await format('openapi.ts', readFileSync(made, 'utf8'), settings)
  writeFileSync(file, code)
}

function python(name, part, words) {
  const program = process.env.SYNOPTIC_TEST_DATAMODEL_CODEGEN ?? 'datamodel-codegen'
  const input = written(`${name}.json`, part)
  const common = [
    '--input',
    input,
    '--input-file-type',
    'openapi',
    '--output',
    packaged(name),
    '--target-python-version',
    '3.10',
    '--use-standard-collections',
    '--use-union-operator',
    '--enum-field-as-literal',
    'all',
    '--collapse-root-models',
    '--use-annotated',
    '--use-double-quotes',
    '--use-schema-description',
    '--use-field-description',

    '--use-title-as-name',
    '--disable-timestamp',
    '--no-use-closed-typed-dict',
    '--disable-warnings',
    '--use-inline-field-description',

    '--custom-file-header',
    '# Made by tools/clients/generate.js from /openapi.json; do not edit.',
  ]
  run(program, [...common, ...words])
}

/** Where each operation is, for the client to send it there. */
function operations() {
  const lines = operationsOf(document).map(({ id, method, path, query }) => {
    const [name, place, names] = [id, path, query].map((value) => JSON.stringify(value, null, 1))
    return `    ${name}: Operation("${method}", ${place}, ${names.replaceAll(/\n\s*/g, ' ')}),`
  })
  const text = `# Made by tools/clients/generate.js from /openapi.json; do not edit.
from typing import NamedTuple


class Operation(NamedTuple):
    method: str
    path: str
    query: list[str]
    """
    Names of members that are sent in the query of the address.
    """


OPERATIONS = {
${lines.join('\n')}
}
`
  writeFileSync(packaged('operations.py'), text)
}

function packaged(name) {
  return join(target, 'python', 'src', 'synoptic_client', name)
}

function written(name, value) {
  const file = join(scratch, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

function run(command, words) {
  const { status, error, stderr, stdout } = spawnSync(command, words, { encoding: 'utf8' })
  if (error) throw new Error(`${command}: ${error.message}`)
  if (status !== 0) throw new Error(`${command} failed: ${stderr}${stdout}`)
}

async function read(place) {
  if (!/^https?:/.test(place)) return readFileSync(place, 'utf8')
  const response = await fetch(place)
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  return response.text()
}
