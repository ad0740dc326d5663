/** A link within the page: it changes the address without a reload, and opens in a new tab like any other. */
import type { ComponentChildren } from 'preact'
import type { Query } from '../lib/query.js'
import { hrefOf, navigate } from '../state/navigation.js'

interface AppLinkProps {
  readonly change: Partial<Query>
  readonly children: ComponentChildren
  readonly class?: string
  readonly lang?: string | undefined
  /** Whether arrow keys lead to it. */
  readonly 'data-result'?: boolean
}

export function AppLink({ change, children, ...attributes }: AppLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    navigate(change)
  }
  return (
    <a href={hrefOf(change)} onClick={follow} dir="auto" data-work={change.work} {...attributes}>
      {children}
    </a>
  )
}
