import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from './library.js'

/** The embeddings become as builds were before there were token lists. */
export function makeOlder({ settings }: Pick<Library, 'settings'>): void {
  const manifest = join(settings.embeddingsDir, 'anime/builtin/static-en/manifest.json')
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as { columns: { tokens?: string }[] }
  for (const column of content.columns) delete column.tokens
  writeFileSync(manifest, JSON.stringify(content))
}
