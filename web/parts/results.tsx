/** What was found, what is on its way, or why there is nothing. */
import { pages, query, showMore } from '../state/navigation.js'
import { call, found, search } from '../state/search.js'
import { isEnglish } from '../lib/language.js'
import type { Remember } from '../lib/merge.js'
import { countLabel, separates } from '../lib/words.js'
import { ResultBar } from './result-bar.js'
import { Card } from './card.js'
import { Fault } from './fault.js'
import { Nothing } from './nothing.js'
import { Tools } from './tools.js'

export function Results() {
  const { status } = search.value
  const { results, hasMore, warnings, unknownNames, remember, language } = found.value
  const { text } = query.value
  const showsFit = separates(results)
  const isForeign =
    language === undefined
      ? !isEnglish(text) && !results.some(({ explain }) => (explain?.title ?? 0) > 0.9)
      : language.encoder === null
  const isWaiting = status === 'loading'
  const fault = search.value.status === 'failed' ? search.value : undefined
  return (
    <section class="results" aria-label="Results" aria-busy={isWaiting}>
      <p class="hidden" role="status">
        {isWaiting ? 'Searching' : summary(results.length, status, remember !== undefined)}
      </p>
      {isWaiting && <div class="progress" aria-hidden="true" />}
      {fault && !fault.isMore && <Fault error={fault.error} />}
      {isWaiting && results.length === 0 && <Skeleton />}
      {status === 'done' && results.length === 0 && <Nothing />}
      {results.length > 0 && !(fault && !fault.isMore) && (
        <>
          <ResultBar />
          <Warnings warnings={warnings} />
          {unknownNames.map((name) => (
            <p key={name} class="warning">
              No work called “<bdi>{name}</bdi>” in this catalogue. If you run this server,{' '}
              <code>synoptic data update</code> adds every work.
            </p>
          ))}
          {isForeign && (
            <p class="warning">
              Descriptions work best in English. Titles work in any language.
              {language?.remedy !== undefined && (
                <>
                  {' '}
                  If you run this server, <code>{language.remedy}</code> adds {language.name}.
                </>
              )}
            </p>
          )}
          {remember && (
            <p class="loose">
              <strong>{nothingFits}</strong> What would help: {hintOf(remember)}.
            </p>
          )}
          <ol class={`cards ${isWaiting && pages.value === 1 ? 'stale' : ''}`}>
            {results.map((result, at) => (
              <li key={`${result.dataset}${result.id}`}>
                <Card result={result} rank={at + 1} showsFit={showsFit} />
              </li>
            ))}
          </ol>
          {fault && <Fault error={fault.error} />}
          {hasMore && !fault && (
            <button type="button" class="more" disabled={isWaiting} onClick={showMore}>
              Show more
            </button>
          )}
        </>
      )}
      {call.value && <Tools call={call.value} />}
    </section>
  )
}

const nothingFits = 'Nothing fits well. These come nearest.'

const hints = {
  year: 'the year',
  type: 'where it was shown or printed',
  object: 'one object in it',
} as const

const hintOf = (remember: Remember) => remember.map((memory) => hints[memory]).join(', or ')

function summary(count: number, status: string, loose: boolean): string {
  if (status !== 'done') return ''
  if (count === 0) return 'Nothing found'
  return `${loose ? `${nothingFits} ` : ''}${countLabel(count, 'result')} shown`
}

function Warnings({ warnings = [] }: { readonly warnings?: readonly string[] | undefined }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
    </>
  )
}

/** Three cards without words, in the places of those to come. */
function Skeleton() {
  return (
    <ol class="cards skeleton" aria-hidden="true">
      {[0, 1, 2].map((at) => (
        <li key={at}>
          <div class="card">
            <div class="tile" />
            <div class="bars">
              <i />
              <i />
              <i />
              <i />
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
