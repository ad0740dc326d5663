/**
 * Bundles web/ into dist/web: one script, one style sheet, the page and its icon; Swagger UI's files, with their
 * licences, go into dist/web/docs. All of these are devDependencies; an install without them keeps what was built before.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('../web/', import.meta.url))
const output = fileURLToPath(new URL('../dist/web/', import.meta.url))

const esbuild = await import('esbuild').catch(() => undefined)
if (esbuild === undefined) {
  console.warn('esbuild is not installed (a devDependency), so the page for people is not built.')
} else {
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  await esbuild.build({
    entryPoints: {
      page: `${web}main.tsx`,
      status: `${web}status/main.tsx`,
      map: `${web}map/main.tsx`,
      style: `${web}style/page.css`,
    },
    outdir: output,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    banner: {
      js: '/* Holds Preact and @preact/signals, (c) Jason Miller and Preact Team, MIT License. */',
    },
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'status.html', 'map.html', 'icon.svg', 'preview.png'])
    cpSync(`${web}${name}`, `${output}${name}`)
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']
  const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']
  for (const name of [...swaggerFiles, ...licences])
    cpSync(join(swagger, name), join(output, 'docs', name))
}
