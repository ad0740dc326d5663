/** A text besides the synopsis that matches the query: blurred until a click where it gives something away. */
import { useState } from 'preact/hooks'
import { highlight } from '../lib/highlight.js'
import type { Result } from '../lib/types.js'

export function Matched({ matched }: { readonly matched: NonNullable<Result['matched']> }) {
  const { text, spoiler, words } = matched
  const [isShown, setShown] = useState(!spoiler)
  if (text === null) return null
  const pieces = highlight(text, words).map(({ text: piece, isMarked }, at) =>
    isMarked ? <mark key={at}>{piece}</mark> : piece,
  )
  return (
    <p class="matched-line">
      <span class="aside">Matched in what people remember: </span>
      {isShown ? (
        <span dir="auto">{pieces}</span>
      ) : (
        <button type="button" class="spoiler" onClick={() => setShown(true)}>
          <span class="hidden">Show the spoiler</span>
          <span class="blurred" aria-hidden="true">
            {text}
          </span>
        </button>
      )}
    </p>
  )
}
