/** How nearly a query is, or has words of, the titles of works. */
import { constants } from '../../base/constants/constants.js'
import type { PlannedTitle } from '../../native/addon/rank-plan.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { Reading } from '../reader/interpretation.js'
import { franchiseRows } from './franchise-rows.js'

export type TitleReading = Extract<Reading, { readonly kind: 'title' }>

/** Rows that the query names, each as often as it does. */
export function titleRows(
  facts: Pick<DatasetFacts, 'franchises' | 'franchiseMembers'>,
  titles: readonly TitleReading[],
  isNamed: (title: TitleReading) => boolean,
): readonly PlannedTitle[] {
  const { franchise } = constants().titles
  return titles.flatMap((title) => {
    const { rows, confidence } = title
    const related = isNamed(title) ? franchiseRows(facts, rows) : []
    return [
      ...related.map((row) => ({ row, confidence: confidence * franchise })),
      ...rows.map((row) => ({ row, confidence })),
    ]
  })
}
