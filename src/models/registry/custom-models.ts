/**
 * One's own models: custom.json in the folder of models, in the form of models/catalogue.json. They are
 * named, fetched, checked and served like the others. No name may stand for two models, and no model's
 * folder may lie in another's.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { isMissing } from '../format/model-files.js'
import { SettingsError } from '../../base/errors/index.js'
import { replaceFile } from '../../base/util/replace-file.js'
import { schemaProblems } from '../../base/util/schema-problems.js'
import { type CatalogueEntries, type ModelEntry, catalogueSchema } from './registry-file.js'

const customModelsFile = (modelsDir: string): string => join(modelsDir, 'custom.json')

/**
 * None where there is no such file.
 * @param shipped the names that are taken
 * @throws SettingsError with every problem
 */
export function readCustomModels(modelsDir: string, shipped: CatalogueEntries): CatalogueEntries {
  const file = customModelsFile(modelsDir)
  const text = readIfThere(file)
  return text === undefined ? { models: [], crossEncoders: [] } : check(file, text, shipped)
}

/**
 * Writes a name into custom.json. Returns a function that removes it.
 * @throws SettingsError, with nothing written, where the file or the name cannot be used
 */
export function writeCustomName(
  { name, batches }: Pick<ModelEntry, 'name' | 'batches'>,
  list: keyof CatalogueEntries,
  modelsDir: string,
  shipped: CatalogueEntries,
): () => void {
  const file = customModelsFile(modelsDir)
  const text = readIfThere(file)
  if (text !== undefined) check(file, text, shipped)
  const before = (text === undefined ? {} : JSON.parse(text)) as Partial<CatalogueEntries>
  const after = { ...before, [list]: [...(before[list] ?? []), { name, batches }] }
  const written = `${JSON.stringify(after, null, 2)}\n`
  check(file, written, shipped)
  mkdirSync(modelsDir, { recursive: true })
  replaceFile(file, written)
  return () => (text === undefined ? rmSync(file) : replaceFile(file, text))
}

function check(file: string, text: string, shipped: CatalogueEntries): CatalogueEntries {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), catalogueSchema), text)
  const problems = result.success
    ? problemsOfNames(result.output, shipped)
    : schemaProblems(result.issues, 'top level')
  if (result.success && problems.length === 0) return result.output
  throw new SettingsError(problems.map((problem) => `${file}: ${problem}`))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError([`${file} cannot be read: ${reason}`])
  }
}

interface Name {
  readonly name: string
  /** Its position in the file; undefined for built-in models. */
  readonly path?: string
}

/** What lies there is found by other ways. */
const reservedFolders = ['builtin', 'fine-tuned']

function problemsOfNames(own: CatalogueEntries, shipped: CatalogueEntries): string[] {
  const taken: Name[] = namesOf(shipped).map(({ name }) => ({ name }))
  const problems: string[] = []
  for (const { name, path } of namesOf(own)) {
    const problem = problemOf(name, taken)
    if (problem !== undefined) {
      problems.push(`${path}: expected a name of its own, received ${name}, ${problem}`)
    }
    taken.push({ name, path })
  }
  return problems
}

function namesOf({ models, crossEncoders }: CatalogueEntries) {
  const list = (key: string, entries: CatalogueEntries['crossEncoders']) =>
    entries.flatMap(({ name, aliases = [] }, i) => [
      { name, path: `${key}.${i}.name` },
      ...aliases.map((alias, j) => ({ name: alias, path: `${key}.${i}.aliases.${j}` })),
    ])
  return [...list('models', models), ...list('crossEncoders', crossEncoders)]
}

/** Names are folders too, and some systems do not distinguish capitals from small letters. */
function problemOf(name: string, taken: readonly Name[]): string | undefined {
  const folder = name.toLowerCase()
  const reserved = reservedFolders.find((other) => isWithin(folder, other))
  if (reserved !== undefined) return `whose folder would be in ${reserved}/`
  for (const other of taken) {
    const whose = other.path ?? 'the catalogue that ships'
    const otherFolder = other.name.toLowerCase()
    if (otherFolder === folder) return `which is ${other.name} of ${whose}`
    if (isWithin(folder, otherFolder) || isWithin(otherFolder, folder)) {
      return `and one of the two folders would be in the other: ${other.name} of ${whose}`
    }
  }
  return undefined
}

const isWithin = (folder: string, other: string): boolean =>
  folder === other || folder.startsWith(`${other}/`)
