/** Reads the operator's words for queries. A reload reads them again. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { SettingsError } from '../../base/errors/index.js'
import { suggestion } from '../../base/util/suggest.js'
import { schemaProblems } from '../../base/util/schema-problems.js'
import { systemReason } from '../../base/util/system-reason.js'
import { tagVocabulary } from '../../data/catalogue/tag-vocabulary.js'
import { ownWordsFile, type OwnWords } from '../reader/own-words.js'

/** @throws SettingsError for a file that cannot be read, or has other members or unknown tags */
export function readOwnWords(file = 'none'): OwnWords | undefined {
  if (file === 'none') return undefined
  const problem = (text: string) => new SettingsError([`--vocabulary: ${file}: ${text}`])
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw problem(systemReason(cause))
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw problem('expected JSON')
  }
  if (Array.isArray(value)) throw problem('expected a JSON object, found a list')
  const checked = v.safeParse(ownWordsFile, value)
  if (!checked.success) throw problem(schemaProblems(checked.issues, '(file)').join('; '))
  const { tags } = tagVocabulary()
  const keys = tags.map(({ tag }) => tag)
  const strange = Object.keys(checked.output.tags ?? {}).find((tag) => !keys.includes(tag))
  if (strange !== undefined)
    throw problem(
      `tags: expected keys of the vocabulary, found ${strange}${suggestion(strange, keys)}`,
    )
  return checked.output
}
