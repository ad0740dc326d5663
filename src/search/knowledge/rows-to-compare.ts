/** Whose texts are worth comparing with those of a work that a query names. */
import { maskOf, type RowMask } from '../../base/util/row-mask.js'
import type { DatasetKnowledge } from './dataset-knowledge.js'
import { exampleOf, likenessRules } from './likeness.js'

/** Texts of works that are less like a work by their tags do not bring them among the first. */
const maxCompared = 1000

/**
 * The likest by tags, since to compare all takes 12 ms of 60,000 rows. The whole mask where there are too few tags.
 */
export async function rowsToCompare(
  { facts, passes }: Pick<DatasetKnowledge, 'facts' | 'passes'>,
  row: number,
  mask: RowMask | undefined,
  signal?: AbortSignal,
): Promise<RowMask | undefined> {
  if (facts.tags.size === 0 || facts.rowCount < maxCompared) return mask
  const plan = {
    likenessRules: likenessRules(facts),
    example: exampleOf(facts, row),
    count: maxCompared,
    withCompared: false,
  }
  const { rows } = await passes.findLikest(plan, { mask, signal })
  return rows.length < maxCompared ? mask : maskOf(facts.rowCount, rows)
}
