/**
 * The rules that `npm run check` holds the imports of src/ to. Which folder may import which stands in
 * layers.json; type-only imports count. A folder that is missing there may import nothing.
 */
import { readFileSync } from 'node:fs'

const layers = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'))

const arrows = Object.entries(layers).map(([folder, { imports }]) => ({
  name: `arrows-of-${folder}`,
  comment: `src/${folder} may import ${imports.join(', ') || 'no other folder'} (layers.json)`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...imports].join('|')})/` },
}))

export default {
  forbidden: [
    ...arrows,
    {
      name: 'folder-without-a-layer',
      comment: 'layers.json does not list this folder',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(layers).join('|')})/` },
      to: {},
    },
    {
      name: 'no-circle',
      comment: 'files import each other in a circle',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
  },
}
