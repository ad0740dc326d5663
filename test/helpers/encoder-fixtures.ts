/** The tiny encoders of tools/tiny-models/encoders.py, and what sentence-transformers makes of them. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const place = 'test/fixtures/encoders'

export type Architecture = 'bert' | 'mpnet' | 'roberta' | 'distilbert' | 't5' | 't5-gelu'

export interface EncoderFixture {
  readonly name: string
  readonly dimension: number
  /** texts x dimension */
  readonly vectors: Float32Array
  /** Writes the folder. */
  write(folder: string): void
}

interface FixtureFile {
  readonly texts: readonly string[]
  readonly models: Readonly<
    Record<
      string,
      {
        readonly base: Architecture
        /** By path: bytes as base64, JSON as it is, null for a file that is left out. */
        readonly files: Readonly<Record<string, unknown>>
        readonly dimension: number
        readonly vectors: string
      }
    >
  >
}

export function readEncoderFixtures(): { texts: readonly string[]; fixtures: EncoderFixture[] } {
  const file = JSON.parse(readFileSync(join(place, 'vectors.json'), 'utf8')) as FixtureFile
  const fixtures = Object.entries(file.models).map(([name, { base, files, ...model }]) => {
    const bytes = Buffer.from(model.vectors, 'base64')
    return {
      name,
      dimension: model.dimension,
      vectors: new Float32Array(
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      ),
      write(folder: string) {
        writeArchitecture(base, folder)
        for (const [path, content] of Object.entries(files)) writeFile(join(folder, path), content)
      },
    }
  })
  return { texts: file.texts, fixtures }
}

/** Writes the folder as it is. */
export function writeArchitecture(architecture: Architecture, folder: string): void {
  cpSync(join(place, architecture), folder, { recursive: true })
}

function writeFile(file: string, content: unknown): void {
  if (content === null) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    typeof content === 'string' ? Buffer.from(content, 'base64') : JSON.stringify(content),
  )
}
