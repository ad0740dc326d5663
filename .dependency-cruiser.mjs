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
      name: 'model-names-are-resolved-at-the-edge',
      comment: 'pass the ResolvedModel, or a ModelResolver where requests name models',
      severity: 'error',
      from: {
        path: '^src/(base|native|data|search|server)/',
        pathNot: [
          // Reads settings.
          '^src/search/composition/',
          // Reads requests.
          '^src/search/inference/served-models.ts$',
          // Processes of their own.
          '^src/server/serve/(import-works|embed-process|serve-maps).ts$',
          '^src/data/writes/(merge-writes|pending).ts$',
        ],
      },
      to: { path: '^src/models/registry/resolve-model.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'model-names-are-resolved-in-tools-only',
      comment: 'encoders and formats receive the ResolvedModel',
      severity: 'error',
      from: { path: '^src/models/', pathNot: '^src/models/(tools|registry)/' },
      to: { path: '^src/models/registry/resolve-model.ts$', dependencyTypesNot: ['type-only'] },
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
