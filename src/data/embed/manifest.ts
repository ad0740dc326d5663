/**
 * The manifest of a collection: which texts, model and program made its matrices. It is written
 * last, so where it exists the other files of the folder are complete.
 */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { rowsOf } from '../../base/util/row-mask.js'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const fileName = v.pipe(v.string(), v.regex(/^[^/\\\0]+$/))

const manifestFile = v.object({
  /** 2 where some columns are compact, which programs that know only 1 cannot read. */
  format: v.picklist([1, 2]),
  /** Program and version that wrote it. */
  builder: v.string(),
  dataset: v.string(),
  datasetVersion: v.string(),
  model: v.string(),
  modelRevision: digest,
  /** Vectors were taken over from other software, which may have cut texts elsewhere. */
  imported: v.optional(v.boolean()),
  maxTokens: count,
  pooling: v.array(v.string()),
  dimension: count,
  rows: count,
  /** The rows that compact columns have, a bit each, in base64. */
  compactRows: v.optional(v.pipe(v.string(), v.base64())),
  columns: v.array(
    v.object({
      name: v.string(),
      file: fileName,
      /** Whether the file has only the rows of `compactRows`. */
      compact: v.optional(v.boolean()),
      /** Rows with a text; the others are zero. */
      texts: count,
      bytes: count,
      sha256: digest,
      /** SHA-256 of the file's first and last bytes, for the check at each opening. */
      edges: digest,
      /** Hashes of its blocks, in base64, by which it is checked while it is served; builds before had none. */
      blocks: v.optional(v.pipe(v.string(), v.base64())),
      /** Lists of the texts' tokens; only of static models, which can be compared word by word. */
      tokens: v.optional(fileName),
    }),
  ),
})
export type Manifest = v.InferOutput<typeof manifestFile>

export type ManifestColumn = Manifest['columns'][number]

/** The rows of the dataset that compact columns have, ascending; undefined where no column is compact. */
export const compactRows = ({ compactRows }: Pick<Manifest, 'compactRows'>) =>
  compactRows === undefined ? undefined : rowsOf(Buffer.from(compactRows, 'base64'))

/** Undefined where there is none; throws an Error that says what is wrong with it. */
export async function readManifest(file: string): Promise<Manifest | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestFile), text)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`manifest.json: ${v.getDotPath(issue) ?? 'top level'}: ${issue.message}`)
}
