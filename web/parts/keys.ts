/** Keys of the whole page: `/` to the box, arrows from result to result, Esc back. */
import { closeWork, query } from '../state/navigation.js'

export const boxId = 'box'

export function listenToKeys(): () => void {
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

const focusBox = (): void => document.getElementById(boxId)?.focus()

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
  const target = event.target instanceof HTMLElement ? event.target : document.body
  if (document.querySelector('dialog[open]') !== null) return
  const isTyping = target.matches('input, textarea, select')
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    focusBox()
  } else if (event.key === 'Escape' && !isTyping) {
    if (query.value.work !== undefined) closeWork()
    else focusBox()
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !isTyping) {
    if (moveToResult(event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault()
  }
}

/** Focuses the next or the previous result; before the first is the box. Returns whether there is one. */
export function moveToResult(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('[data-result]')]
  if (links.length === 0) return false
  const current = links.findIndex((link) =>
    link.closest('article')?.contains(document.activeElement),
  )
  const next = current + step
  if (next < 0) focusBox()
  else links[Math.min(next, links.length - 1)]?.focus()
  return true
}
