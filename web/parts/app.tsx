/** The page: the box on top, and below it what the address names. */
import { useEffect, useRef } from 'preact/hooks'
import { isEmpty, type EntryId, type Query } from '../lib/query.js'
import { datasets, withLists } from '../lib/server.js'
import { backToResults, hrefOf, query } from '../state/navigation.js'
import { search } from '../state/search.js'
import { work } from '../state/work.js'
import { Chips } from './chips.js'
import { DatasetSwitch } from './dataset-switch.js'
import { First } from './first.js'
import { Filters } from './filters.js'
import { Footer, Masthead } from './frame.js'
import { listenToKeys } from './keys.js'
import { MyListDialog } from './my-list.js'
import { Results } from './results.js'
import { SearchBox } from './search-box.js'
import { WorkPage } from './work-page.js'

export function App() {
  useEffect(listenToKeys, [])
  const { text, work: id, dataset, both } = query.value
  const isFirst = isEmpty(query.value) && id === undefined
  const title = titleOf()
  useEffect(() => {
    document.title = title
  }, [title])
  useFocusOf(id)
  return (
    <>
      <a class="skip" href="#content">
        Skip to results
      </a>
      <Masthead />
      <main class={isFirst ? 'first' : ''}>
        <search class="ask">
          {isFirst && <h1 class="question">{questionOf(both ? datasets : [dataset])}</h1>}
          {!isFirst && id === undefined && <h1 class="hidden">{headingOf(query.value)}</h1>}
          <DatasetSwitch />
          <SearchBox />
          {id === undefined && <Chips />}
        </search>
        <div id="content" tabIndex={-1}>
          {isFirst && <First />}
          {!isFirst && id === undefined && (
            <div class="columns">
              <Filters />
              <Results />
            </div>
          )}
          {id !== undefined && (
            <>
              {!isEmpty(query.value) && (
                <p class="back">
                  <a
                    href={hrefOf({ work: undefined })}
                    onClick={(event) => {
                      event.preventDefault()
                      backToResults()
                    }}
                  >
                    ← Back to {text === '' ? 'the results' : <>“{text}”</>}
                  </a>
                </p>
              )}
              <WorkPage />
            </>
          )}
        </div>
      </main>
      <Footer />
      <MyListDialog />
    </>
  )
}

/** Names of the operator's own are words in the plural, mostly. */
const questionOf = (searched: readonly string[]): string =>
  searched.every((name) => withLists.includes(name))
    ? `Which ${searched.join(' or ')} was it?`
    : 'What are you looking for?'

/** Where a work closes, the focus goes to what opened the first one; it would be lost with the page of the work. */
function useFocusOf(work: EntryId | undefined): void {
  const opened = useRef<EntryId | undefined>(undefined)
  useEffect(() => {
    if (work !== undefined) opened.current ??= work
    else if (opened.current !== undefined) {
      const link = document.querySelector<HTMLElement>(
        `#content [data-work="${CSS.escape(String(opened.current))}"]`,
      )
      link?.focus()
      opened.current = undefined
    }
  }, [work])
}

function headingOf({ text, forMe }: Query): string {
  if (text !== '') return `Results for “${text}”`
  return forMe ? 'For me' : 'More like this'
}

function titleOf(): string {
  const { text, work: id } = query.value
  if (id !== undefined && work.value.status === 'done')
    return `${work.value.entry.title} · Synoptic`
  if (search.value.status === 'idle') return 'Synoptic'
  if (text === '') return `${headingOf(query.value)} · Synoptic`
  return `${text.length > 60 ? `${text.slice(0, 59)}…` : text} · Synoptic`
}
