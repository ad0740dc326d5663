/**
 * Bundles web/ into dist/web: one script, one style sheet, the page and its icon. The libraries of the page are
 * devDependencies; an install without them keeps a page that was built before.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
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
  for (const name of ['index.html', 'status.html', 'map.html', 'icon.svg'])
    cpSync(`${web}${name}`, `${output}${name}`)
}
