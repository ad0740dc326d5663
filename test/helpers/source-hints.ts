/** Commands that the source files write into messages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceHint {
  /** Below `src`. */
  readonly file: string
  /** E.g. `embed build`. */
  readonly name: string
  readonly flags: readonly string[]
  /** Whether it stands in the help of a command, or in a comment. */
  readonly isText: boolean
}

const hint = /synoptic ((?:data|embed|models|gpu|anilist) [a-z]+|compile|eval|serve)\b([^`'"\n;]*)/g
const texts = /\bhelp: `(?:\\.|[^`\\])*`|\/\*\*[^]*?\*\/|^ *\/\/.*$/gm

export function hintsOfSources(): SourceHint[] {
  const root = fileURLToPath(new URL('../../src', import.meta.url))
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const inTexts = [...source.matchAll(texts)].flatMap(([text]) => hintsOf(file, text, true))
      return [...inTexts, ...hintsOf(file, source.replaceAll(texts, ''), false)]
    })
}

const hintsOf = (file: string, text: string, isText: boolean): SourceHint[] =>
  [...text.matchAll(hint)].map(([, name = '', rest = '']) => {
    return { file, name, flags: [...rest.matchAll(/--[a-z-]+/g)].map(([flag]) => flag), isText }
  })
