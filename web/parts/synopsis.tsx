/** The synopsis with the words that match the query marked; a long one unfolds. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { highlight } from '../lib/highlight.js'

interface SynopsisProps {
  readonly text: string
  readonly words?: readonly (readonly [number, number])[] | undefined
}

export function Synopsis({ text, words }: SynopsisProps) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = paragraph.current ?? {}
    if (!isOpen) setCut(scrollHeight > clientHeight + 2)
  }, [text, isOpen])
  if (text === '') return <p class="synopsis empty">No synopsis.</p>
  return (
    <div class={`synopsis-box ${isCut && !isOpen ? 'is-cut' : ''}`}>
      <p ref={paragraph} class={`synopsis ${isOpen ? '' : 'cut'}`} dir="auto">
        {highlight(text, words).map(({ text, isMarked }, at) =>
          isMarked ? <mark key={at}>{text}</mark> : text,
        )}
      </p>
      {isCut && (
        <button
          type="button"
          class="plain unfold"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Read more'}
        </button>
      )}
    </div>
  )
}
