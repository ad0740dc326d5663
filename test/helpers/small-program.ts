/**
 * The program with a few of the included works. A first start with all of them takes twenty seconds: the one with all
 * is that of `worksServer` (test/serve/sample.ts).
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeOnce } from './made-once.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the command, which a `node` runs. */
export async function smallProgram(): Promise<string> {
  const folder = await makeOnce('small-program', (made) => {
    mkdirSync(made)
    for (const name of ['package.json', 'dist', 'data'])
      cpSync(join(root, name), join(made, name), {
        recursive: true,
        // dist/cli.js compares them.
        preserveTimestamps: true,
        filter: (path) => !path.includes('works') || !path.endsWith('.jsonl'),
      })
    for (const name of ['node_modules', 'build', 'models', 'tools'])
      symlinkSync(join(root, name), join(made, name), 'junction')
    const works = join('data', 'works')
    for (const dataset of ['anime', 'manga']) keepFirstWorks(root, made, join(works, dataset))
    return Promise.resolve()
  })
  return join(folder, 'dist', 'cli.js')
}

/** The best known come first. Some tests search, so there have to be some. */
function keepFirstWorks(from: string, to: string, name: string): void {
  const lines = readFileSync(join(from, `${name}.jsonl`), 'utf8').split('\n')
  writeFileSync(join(to, `${name}.jsonl`), `${lines.slice(0, 300).join('\n')}\n`)
}
