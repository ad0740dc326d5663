/** How well a result fits, as a bar. */
import { relevanceLabel } from '../lib/words.js'

export function Relevance({ score }: { readonly score: number }) {
  const label = `Fit ${relevanceLabel(score)}`
  return (
    <meter class="relevance" min={0} max={1} value={score} title={label} aria-label={label}>
      {label}
    </meter>
  )
}
