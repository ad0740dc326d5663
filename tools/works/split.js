import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @type {{ parts: { name: string, below: number }[] }} */
const { parts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../data/works/splits.json'), 'utf8'),
)

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
