/** Titles that complete what is typed. */
import { highlight } from '../lib/highlight.js'
import { isJapanese, typeLabel } from '../lib/words.js'
import { active, titles, type OfferedTitle } from '../state/completion.js'
import { draft } from '../state/navigation.js'

export const optionId = (position: number): string => `title-${position}`

export function TitleList({ onChoose }: { readonly onChoose: (title: OfferedTitle) => void }) {
  if (titles.value.length === 0) return null
  return (
    <ul id="titles" class="titles" role="listbox" aria-label="Titles">
      {titles.value.map((offered, position) => {
        const { id, dataset, title, matched, type, year } = offered
        return (
          <li
            key={`${dataset}${id}`}
            id={optionId(position)}
            role="option"
            aria-selected={position === active.value}
            // Before the box loses its focus, and the list with it.
            onMouseDown={(event) => {
              event.preventDefault()
              onChoose(offered)
            }}
          >
            <Matched text={matched} />
            {matched !== title && <span class="main-title">{title}</span>}
            <span class="aside">
              {[type === null ? '' : typeLabel(type), year ?? '']
                .filter((part) => part !== '')
                .join(' ')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** What is typed is marked where the title has it letter by letter. */
function Matched({ text }: { readonly text: string }) {
  const typed = draft.value.trim().toLowerCase()
  const begin = text.toLowerCase().indexOf(typed)
  const pieces = highlight(text, begin >= 0 ? [[begin, begin + typed.length]] : [])
  return (
    <span class="matched" dir="auto" lang={isJapanese(text) ? 'ja' : undefined}>
      {pieces.map(({ text, isMarked }, at) => (isMarked ? <b key={at}>{text}</b> : text))}
    </span>
  )
}
