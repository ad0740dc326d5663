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
  /** Whether it is in the help of a command, or in a comment. */
  readonly isText: boolean
}

const hint = /synoptic ((?:data|embed|models|gpu|anilist) [a-z]+|compile|eval|serve)\b([^`'"\n;]*)/g
const texts = /\bhelp: `(?:\\.|[^`\\])*`|\/\*\*[^]*?\*\/|^ *\/\/.*$/gm

export function hintsOfSources(): SourceHint[] {
  const root = fileURLToPath(new URL('../../src', import.meta.url))
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => partsOf(file, readFileSync(join(root, file), 'utf8')))
    .flatMap(({ file, source }) => {
      const inTexts = [...source.matchAll(texts)].flatMap(([text]) => hintsOf(file, text, true))
      return [...inTexts, ...hintsOf(file, source.replaceAll(texts, ''), false)]
    })
}

/** Many errors share a file; each class is a part of its own. */
function partsOf(file: string, source: string) {
  if (!file.startsWith('base/errors/')) return [{ file, source }]
  return source.split(/^(?=export class )/m).map((part) => {
    const name = /^export class (\w+)/.exec(part)?.[1]
    return { file: name === undefined ? file : `base/errors/${name}`, source: part }
  })
}

const hintsOf = (file: string, text: string, isText: boolean): SourceHint[] =>
  [...text.matchAll(hint)].map(([, name = '', rest = '']) => {
    return { file, name, flags: [...rest.matchAll(/--[a-z-]+/g)].map(([flag]) => flag), isText }
  })
