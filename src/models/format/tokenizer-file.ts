/** Where a model's tokenizer.json is: built-in models share one, which the others name. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../base/util/package-root.js'

const name = 'tokenizer.json'
const reference = /^\{\s*"builtin":\s*"([a-z][\w-]*)"\s*\}\s*$/
/** A vocabulary takes more. */
const maxReferenceBytes = 100

/** @returns the folder's own file, or for one that is `{ "builtin": "static-en" }` that of static-en */
export async function tokenizerFile(folder: string): Promise<string> {
  const file = join(folder, name)
  const found = await stat(file)
  if (!found.isFile() || found.size > maxReferenceBytes) return file
  const [, builtin] = reference.exec(await readFile(file, 'utf8')) ?? []
  return builtin === undefined ? file : join(packageRoot, 'models', 'builtin', builtin, name)
}
