/** What was found, what is on its way, or why there is nothing. */
import { pages, showMore } from '../state/navigation.js'
import { answers, call, hasMore, search } from '../state/search.js'
import { countLabel, isLoose } from '../lib/words.js'
import { Card } from './card.js'
import { Fault } from './fault.js'
import { Nothing } from './nothing.js'
import { Tools } from './tools.js'

export function Results() {
  const { status } = search.value
  const found = answers.value
  const seen = new Set<number>()
  const results = found
    .flatMap((answer) => answer.results)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
  const loose = isLoose(results)
  const isWaiting = status === 'loading'
  const fault = search.value.status === 'failed' ? search.value : undefined
  return (
    <section class="results" aria-label="Results" aria-busy={isWaiting}>
      <p class="hidden" role="status">
        {isWaiting ? 'Searching' : summary(results.length, status, loose)}
      </p>
      {isWaiting && <div class="progress" aria-hidden="true" />}
      {fault && !fault.isMore && <Fault error={fault.error} />}
      {isWaiting && results.length === 0 && <Skeleton />}
      {status === 'done' && results.length === 0 && <Nothing />}
      {results.length > 0 && !(fault && !fault.isMore) && (
        <>
          <Warnings warnings={found[0]?.warnings} />
          {loose && (
            <p class="loose">
              <strong>{nothingFits}</strong> Say it in other words, or leave out what you are less
              sure of.
            </p>
          )}
          <p class="aside bar-words">Bars show how well a work fits.</p>
          <ol class={`cards ${isWaiting && pages.value === 1 ? 'stale' : ''}`}>
            {results.map((result, at) => (
              <li key={result.id}>
                <Card result={result} rank={at + 1} />
              </li>
            ))}
          </ol>
          {fault && <Fault error={fault.error} />}
          {hasMore(found) && !fault && (
            <button type="button" class="more" disabled={isWaiting} onClick={showMore}>
              More
            </button>
          )}
        </>
      )}
      {call.value && <Tools call={call.value} />}
    </section>
  )
}

const nothingFits = 'Nothing fits well; these are the nearest.'

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
