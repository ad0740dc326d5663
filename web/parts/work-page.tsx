/** One work: all its texts by column, its facts, tags with their meaning, its franchise and the works nearest to it. */
import { useEffect, useRef } from 'preact/hooks'
import { familyOf } from '../lib/families.js'
import { has, server } from '../lib/server.js'
import type { Entry } from '../lib/types.js'
import { factsOf, listLabel, textsOf, typeLabel } from '../lib/words.js'
import { mapHref } from '../state/map-href.js'
import { draft, query } from '../state/navigation.js'
import { nearest, open, work } from '../state/work.js'
import { LikeActions, SiteLinks } from './actions.js'
import { AppLink } from './app-link.js'
import { Fault } from './fault.js'
import { TitleChoice } from './result-bar.js'
import { OtherTitles, Tile } from './tile.js'
import { Nearest, Order, OtherForms, Texts, TagMeanings } from './work-parts.js'
import { listed } from '../state/my-list.js'
import { WhereToWatch } from './where-to-watch.js'

export function WorkPage() {
  const state = work.value
  if (state.status === 'failed') {
    return (
      <>
        <h1 class="hidden">A work that cannot be shown</h1>
        <Fault error={state.error} onRetry={() => void open()} />
      </>
    )
  }
  if (state.status !== 'done') {
    return (
      <p class="state" role="status">
        <span class="progress" aria-hidden="true" />
        <span class="hidden">Opening the work</span>
      </p>
    )
  }
  return <Work key={state.entry.id} entry={state.entry} />
}

function Work({ entry }: { readonly entry: Entry }) {
  const { id, title, tags, year, score, links, franchise, texts, cover } = entry
  const native = entry.titleJapanese
  const { dataset } = query.value
  const status = listed(dataset, id)?.status
  const main = franchise.find(({ relation }) => relation === 'main')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // What opened it is gone, and the focus with it. Somebody who types meanwhile stays in the box.
    if (draft.peek() === query.peek().text) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <article class="work">
      <Tile title={native ?? title} family={familyOf(tags, id)} year={year} cover={cover} />
      <header>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        <p class="other-titles">
          <OtherTitles entry={entry} />
        </p>
        <p class="facts">
          {factsOf(entry).map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
          {score !== null && <span title="Average rating">★ {score.toFixed(1)}</span>}
          {entry.popularityRank && (
            <span title="Place among the best known">
              #{entry.popularityRank.toLocaleString('en')} popular
            </span>
          )}
          {status && <span class="badge">{listLabel(status, dataset)}</span>}
        </p>
        <p class="work-actions">
          <LikeActions dataset={dataset} id={id} />
          {has('map') && (
            <a class="plain" href={mapHref({ work: id })}>
              Show on the map
            </a>
          )}
          <SiteLinks links={links} />
          <TitleChoice />
        </p>
        {main && main.id !== id && (
          <p class="aside">
            Part of <AppLink change={{ work: main.id }}>{main.title}</AppLink>.
          </p>
        )}
      </header>
      <div class="work-columns">
        <div>
          <Texts texts={texts} />
          <Nearest works={nearest.value} />
        </div>
        <div>
          <Facts entry={entry} />
          <WhereToWatch dataset={dataset} links={links} />
          <OtherForms dataset={dataset} source={entry.source} works={entry.otherForms} />
          <TagMeanings tags={tags} />
          <Order franchise={franchise} current={id} />
          <p class="aside">
            {typeLabel(dataset)} {id} on this server
            {server.version && `, version ${server.version}`}
          </p>
        </div>
      </div>
    </article>
  )
}

const factNames: readonly (readonly [string, string])[] = [
  ['source', 'Source'],
  ['audience', 'Audience'],
  ['status', 'Status'],
  ['studios', 'Studio'],
  ['authors', 'By'],
  ['magazines', 'Ran in'],
  ['director', 'Director'],
  ['alternativeTitles', 'Other titles'],
]

function Facts({ entry }: { readonly entry: Entry }) {
  const { genres } = entry
  const rows = factNames.flatMap(([member, name]) => {
    const values = textsOf(entry, member)
    const words = member === 'source' || member === 'audience' ? values.map(typeLabel) : values
    return words.length > 0 ? [[name, words.join(', ')] as const] : []
  })
  const all = genres.length > 0 ? [['Genres', genres.join(', ')] as const, ...rows] : rows
  if (all.length === 0) return null
  return (
    <section>
      <h2>Facts</h2>
      <dl>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
