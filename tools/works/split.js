/** The three parts of the works, and the purpose that may use the descriptions of each. parts.py is the same for Python. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../data/works')

/** @type {{ parts: { name: string, below: number }[] }} */
const { parts } = JSON.parse(readFileSync(join(folder, 'splits.json'), 'utf8'))

/**
 * The part of a franchise: training, fitting or reporting (data/works/splits.json).
 * @param {string} franchiseKey
 */
export const partOf = (franchiseKey) => {
  if (!franchiseKey) throw new Error('a franchise key is needed')
  const hash = createHash('sha256').update(franchiseKey, 'utf8').digest()
  const share = hash.readUInt32BE(0) / 2 ** 32
  const part = parts.find(({ below }) => share < below)
  if (!part) throw new Error('data/works/splits.json: the last part must end at 1')
  return part.name
}

/**
 * The works whose descriptions serve the purpose: those of the part of that name.
 * @param {string} purpose training, fitting or reporting
 * @param {string} part the requested part; refused where it is not the purpose's
 * @returns {{ dataset: string, part: string, franchise: string, descriptions: string[] }[]}
 */
export function worksFor(purpose, part = purpose) {
  const names = parts.map(({ name }) => name)
  if (!names.includes(part)) throw new Error(`expected a part (${names.join(', ')}), got ${part}`)
  if (part !== purpose) {
    throw new Error(
      `refused: the descriptions of the ${part} part are for ${part} alone, not for ${purpose} (data/works/splits.json)`,
    )
  }
  return readWorks().filter((work) => work.part === purpose)
}

/**
 * Whatever file texts come from: none may be a description of a work of another part.
 * @param {Iterable<string>} texts
 * @param {string} purpose
 */
export function refuseOthers(texts, purpose) {
  descriptionParts ??= new Map(
    readWorks().flatMap(({ descriptions, part }) => descriptions.map((text) => [fold(text), part])),
  )
  for (const text of texts) {
    const part = descriptionParts.get(fold(text)) ?? purpose
    if (part !== purpose) {
      throw new Error(
        `refused: a description of the ${part} part, not for ${purpose} (data/works/splits.json): "${text}"`,
      )
    }
  }
}

/** @type {Map<string, string> | undefined} */
let descriptionParts

function readWorks() {
  return ['anime', 'manga'].flatMap((dataset) =>
    readFileSync(join(folder, `${dataset}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const work = JSON.parse(line)
        return { ...work, dataset, part: partOf(work.franchise) }
      }),
  )
}

/** @param {string} text */
const fold = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(' ')
