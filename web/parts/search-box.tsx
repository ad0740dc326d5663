/** The one box: titles complete while typing, anything else is a description. */
import { datasets } from '../lib/server.js'
import { useEffect, useRef } from 'preact/hooks'
import { active, close, complete, move, titles, type OfferedTitle } from '../state/completion.js'
import { draft, navigate, query, searchFor } from '../state/navigation.js'
import { countLabel } from '../lib/words.js'
import { TitleList, optionId } from './title-list.js'
import { boxId, moveToResult } from './keys.js'

const maxLength = 2000

export function SearchBox() {
  const box = useRef<HTMLTextAreaElement>(null)
  const { dataset, both } = query.value
  const text = draft.value
  const open = titles.value
  useEffect(() => fitHeight(box.current), [text])
  // It is wider on a page of results, and on a phone that is turned.
  useEffect(() => onNewWidth(box.current, fitHeight), [])
  useEffect(() => {
    // A phone would cover half of the page with its keyboard.
    if (query.peek().text === '' && matchMedia('(hover: hover)').matches) box.current?.focus()
  }, [])

  const send = () => {
    close()
    if (draft.value.trim() !== '') searchFor(draft.value)
  }
  const choose = ({ id, dataset: of }: OfferedTitle) => {
    close()
    navigate({ dataset: of, work: id })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      const title = open[active.value]
      if (title) choose(title)
      else send()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (open.length > 0) move(step)
      else if (step === -1 || !isOnLastLine(box.current) || !moveToResult(1)) return
      event.preventDefault()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (open.length > 0) close()
      else box.current?.blur()
    }
  }
  return (
    <form
      class="box"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label class="hidden" for={boxId}>
        A title, a plot, or what it is like
      </label>
      <textarea
        id={boxId}
        ref={box}
        rows={1}
        maxLength={maxLength}
        value={text}
        placeholder={'A plot, a title, “like Mushishi but darker”…'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        dir="auto"
        aria-autocomplete="list"
        aria-controls={open.length > 0 ? 'titles' : undefined}
        aria-activedescendant={active.value >= 0 ? optionId(active.value) : undefined}
        onInput={(event) => {
          draft.value = event.currentTarget.value
          complete(draft.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <button
        type="submit"
        class="go"
        aria-label={`Search ${(both ? datasets : [dataset]).join(' and ')}`}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 12h15m-6-6 6 6-6 6" />
        </svg>
      </button>
      <TitleList onChoose={choose} />
      <p class="hidden" role="status">
        {open.length > 0 &&
          `${countLabel(open.length, 'title')} found. Use the down arrow to choose.`}
      </p>
    </form>
  )
}

/** Calls back whenever an element has another width; returns what ends that. */
function onNewWidth<T extends Element>(
  element: T | null,
  tell: (element: T) => void,
): (() => void) | undefined {
  if (element === null) return undefined
  let width = element.clientWidth
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return
    width = element.clientWidth
    // What changes the height within the observer would be reported to it at once.
    requestAnimationFrame(() => tell(element))
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** The box grows with its text. */
function fitHeight(box: HTMLTextAreaElement | null): void {
  if (box === null) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}

function isOnLastLine(box: HTMLTextAreaElement | null): boolean {
  return box !== null && box.selectionEnd === box.value.length
}
