/**
 * The documentation as a static site with search, for any web server; its pages load nothing from others:
 *   npm run docs -- [--output site] [--openapi FILE] [--mkdocs PROGRAM]
 * MkDocs (pip install -r tools/docs/requirements.txt) renders the pages of stage.js and refuses dead anchors. The API
 * reference is Swagger UI over the OpenAPI document in FILE, or over that of a server that this script starts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stagePages } from './stage.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(project, 'dist', 'cli.js')
const { values: options } = parseArgs({
  options: {
    output: { type: 'string', default: 'site' },
    openapi: { type: 'string' },
    mkdocs: { type: 'string', default: 'mkdocs' },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-docs-'))
const pages = join(scratch, 'pages')

try {
  const staged = stagePages(project, pages)
  const document = options.openapi ? readFileSync(options.openapi, 'utf8') : await servedDocument()
  writeReference(JSON.parse(document))
  writeFileSync(join(scratch, 'mkdocs.yml'), JSON.stringify(configuration(staged)))
  const words = ['build', '--strict', '--quiet', '--config-file', join(scratch, 'mkdocs.yml')]
  // Its advertisement of a successor is no fault of a page.
  const env = { ...process.env, NO_MKDOCS_2_WARNING: '1' }
  execFileSync(options.mkdocs, [...words, '--site-dir', resolve(options.output)], {
    env,
    stdio: 'inherit',
  })
  const { output } = options
  console.log(
    `${staged.length} pages in ${output}; to read them: python3 -m http.server --directory ${output}`,
  )
} finally {
  rmSync(scratch, { recursive: true })
}

/** MkDocs reads JSON, too. */
function configuration(staged) {
  const isIn = (pattern) => staged.filter((page) => pattern.test(page)).toSorted()
  return {
    site_name: 'Synoptic',
    docs_dir: pages,
    use_directory_urls: false,
    theme: { name: 'material', font: false, features: ['navigation.top', 'content.code.copy'] },
    plugins: ['search'],
    markdown_extensions: ['tables', 'fenced_code', 'sane_lists', { toc: { permalink: true } }],
    validation: { links: { not_found: 'warn', anchors: 'warn', unrecognized_links: 'warn' } },
    nav: [
      { Home: 'README.md' },
      { 'API reference': 'reference.md' },
      { Guides: isIn(/^docs\//) },
      { 'Models and works': isIn(/^(?:models|data)\//) },
      { Clients: isIn(/^clients\//) },
      { Development: isIn(/^[A-Z-]+\.md$|^tools\//).filter((page) => page !== 'README.md') },
      { Measurements: isIn(/^(?:bench|test)\//) },
    ],
  }
}

/** A page of Swagger UI with the document in it. */
function writeReference(document) {
  const folder = join(pages, 'reference')
  mkdirSync(folder)
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']) {
    cpSync(join(project, 'dist', 'web', 'docs', name), join(folder, name))
  }
  const text = JSON.stringify(document).replaceAll('<', '\\u003c')
  writeFileSync(
    join(folder, 'api.html'),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Synoptic API</title>
<link rel="icon" type="image/png" href="favicon-32x32.png">
<link rel="stylesheet" href="swagger-ui.css">
<div id="docs"></div>
<script src="swagger-ui-bundle.js"></script>
<script>
  SwaggerUIBundle({ dom_id: '#docs', spec: ${text}, supportedSubmitMethods: [] })
</script>
</html>
`,
  )
  writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(document, undefined, 2)}\n`)
  const words =
    '# API reference\n\n[Every route](reference/api.html), from [openapi.json](reference/openapi.json). [HTTP](docs/api.md) explains them.\n'
  writeFileSync(join(pages, 'reference.md'), words)
}

/** The document of a server with all routes. */
async function servedDocument() {
  const home = ['--home', join(scratch, 'home')]
  const run = (...words) => execFileSync(process.execPath, [cli, ...words, ...home])
  const samples = ['anime', 'manga'].map((name) => join(project, 'data', 'sample', `${name}.json`))
  run('data', 'import', ...samples, '--works', 'off')
  run('embed', 'build', '--model', 'builtin/static-en')
  const words = ['serve', '--port', '0', '--workers', '1', '--search-encoder', 'builtin/static-en']
  const feedback = ['--feedback', join(scratch, 'feedback.jsonl')]
  const server = spawn(process.execPath, [cli, ...words, ...feedback, ...home])
  try {
    const origin = await originOf(server)
    return await (await fetch(`${origin}/openapi.json`)).text()
  } finally {
    server.kill()
  }
}

function originOf(server) {
  return new Promise((found, reject) => {
    let text = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        text += part
        const [, origin] = /ready at (http:\/\/[^\s",]+)/.exec(text) ?? []
        if (origin) found(origin)
      })
    }
    server.on('exit', () => reject(new Error(`expected a server, received: ${text}`)))
  })
}
