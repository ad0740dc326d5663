import { readFileSync, writeFileSync } from 'node:fs'

/** A manifest becomes as builds wrote it before there were token lists. */
export function forgetTokens(manifest: string): void {
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as { columns: { tokens?: string }[] }
  for (const column of content.columns) delete column.tokens
  writeFileSync(manifest, JSON.stringify(content))
}
