/** Sections of a work's page; each is left out where the catalogue has nothing for it. */
import { textKind } from '../../src/data/catalogue/text-kinds.js'
import type { DatasetName } from '../lib/query.js'
import type { Entry, Similar } from '../lib/types.js'
import { factsOf, typeLabel } from '../lib/words.js'
import { changeFilters, query, searchFor } from '../state/navigation.js'
import { AppLink } from './app-link.js'

export function Texts({ texts }: { readonly texts: Entry['texts'] }) {
  const columns = Object.entries(texts)
  if (columns.length === 0) return <p class="synopsis empty">No synopsis.</p>
  const remembered = columns.filter(([column]) => isRemembered(column))
  return (
    <section aria-label="Texts">
      {columns
        .filter(([column]) => !isRemembered(column))
        .map(([column, text], at) => (
          <section key={column} class="text">
            <h2>{columnLabel(column)}</h2>
            <p class={at === 0 ? 'lead' : ''} dir="auto">
              {text}
            </p>
          </section>
        ))}
      {remembered.length > 0 && (
        <section class="text">
          <h2>What people remember</h2>
          {remembered.map(([column, text]) => (
            <p key={column} dir="auto">
              {text}
            </p>
          ))}
        </section>
      )}
    </section>
  )
}

const isRemembered = (column: string): boolean => textKind(column) === 'remembered'

/** `Synopsis anime4500 Dataset` as a heading. */
function columnLabel(column: string): string {
  return column.charAt(0).toUpperCase() + column.slice(1)
}

export function TagMeanings({ tags }: { readonly tags: Entry['tags'] }) {
  if (tags.length === 0) return null
  return (
    <section>
      <h2>Tags</h2>
      <ul class="meanings">
        {tags.map(({ tag, name, family, meaning, weight }) => (
          <li key={tag} data-weight={weight}>
            <button
              type="button"
              data-family={family ?? undefined}
              title={`Search for works with ${name}`}
              onClick={() => findTag(tag, name)}
            >
              {name}
            </button>
            {meaning && <span class="meaning">{meaning}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** With the current query, or as a new query. */
function findTag(tag: string, name: string): void {
  const { text, filters } = query.value
  if (text === '') searchFor(name)
  else {
    changeFilters({ tags: { ...filters.tags, [tag]: 'all' } })
    searchFor(text)
  }
}

interface OrderProps {
  readonly franchise: Entry['franchise']
  readonly current: number
}

export function Order({ franchise, current }: OrderProps) {
  if (franchise.length < 2) return null
  return (
    <section>
      <h2>This series, in order</h2>
      <ol class="order">
        {franchise.map(({ id, title, type, year, relation }) => (
          <li key={id} aria-current={id === current ? 'true' : undefined}>
            <span class="year">{year ?? '—'}</span>
            <span>
              {id === current ? (
                <span dir="auto">{title}</span>
              ) : (
                <AppLink change={{ work: id }}>{title}</AppLink>
              )}
              <span class="aside">{kindsOf(type, relation).join(', ')}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A film of a franchise is a movie by its type too, and a special a special: once is enough. */
function kindsOf(type: string | null, relation: string | null): string[] {
  const words = [type, relation === 'main' ? null : relation === 'film' ? 'movie' : relation]
  return [...new Set(words.filter((word) => word !== null).map(typeLabel))]
}

interface OtherFormsProps {
  readonly dataset: DatasetName
  readonly source: string | null
  readonly works: Entry['otherForms']
}

/** What an anime was made from, or what was made from a manga. */
export function OtherForms({ dataset, source, works }: OtherFormsProps) {
  if (works.length === 0) return null
  const isFrom = source === 'manga' || source === 'light_novel' || source === 'web_manga'
  const title = dataset === 'manga' ? 'Anime of this' : isFrom ? 'Source' : 'Manga of this'
  return (
    <section>
      <h2>{title}</h2>
      <ol class="order">
        {works.map(({ dataset: other, id, title, type, year }) => (
          <li key={id}>
            <span class="year">{year ?? '—'}</span>
            <span>
              <AppLink change={{ dataset: other, work: id }}>{title}</AppLink>
              <span class="aside">{type ? typeLabel(type) : ''}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function Nearest({ works }: { readonly works: readonly Similar[] }) {
  if (works.length === 0) return null
  return (
    <section>
      <h2>Similar works</h2>
      <ol class="nearest">
        {works.map(({ id, title, type, year, synopsis }) => (
          <li key={id}>
            <AppLink change={{ work: id }}>{title}</AppLink>
            <span class="aside">{factsOf({ type, year }).join(' ')}</span>
            <p dir="auto">{synopsis}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
