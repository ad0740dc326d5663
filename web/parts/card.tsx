/** One result: the work, why it was found, and where to go from it. */
import { familyOf } from '../lib/families.js'
import type { FoundResult } from '../lib/merge.js'
import { datasetLabel, factsOf, listLabel } from '../lib/words.js'
import { listed } from '../state/my-list.js'
import { query } from '../state/navigation.js'
import { AppLink } from './app-link.js'
import { LikeActions, SiteLinks } from './actions.js'
import { Franchise } from './franchise.js'
import { Matched } from './matched.js'
import { Reasons } from './reasons.js'
import { Relevance } from './relevance.js'
import { Synopsis } from './synopsis.js'
import { Tags } from './tags.js'
import { ThatsTheOne } from './thats-the-one.js'
import { OtherTitles, Tile } from './tile.js'

interface CardProps {
  readonly result: FoundResult
  /** From 1, over all pages. */
  readonly rank: number
  /** Whether the fit of the results differs, so that a bar says something. */
  readonly showsFit: boolean
}

/** A text is shown where it matches by its words or well; where facts or works were requested, it matches by chance. */
const isShownText = ({ matched, explain }: FoundResult): boolean =>
  (matched?.words?.length ?? 0) > 0 || (explain?.text ?? 0) >= leastText

const leastText = 0.3

export function Card({ result, rank, showsFit }: CardProps) {
  const { id, dataset, title, titleJapanese, tags, score10, popularityRank, matched } = result
  const titleId = `result-${dataset}-${id}`
  const status = listed(dataset, id)?.status ?? result.listStatus
  return (
    <article class="card" aria-labelledby={titleId}>
      <Tile
        title={titleJapanese ?? title}
        family={familyOf(tags, id)}
        year={result.year}
        cover={result.cover}
      />
      <div class="body">
        <header>
          <h2 id={titleId}>
            <AppLink change={{ dataset, work: id }} data-result>
              {title}
            </AppLink>
          </h2>
          <p class="facts">
            {query.value.both && <span>{datasetLabel(dataset)}</span>}
            {factsOf(result).map((fact) => (
              <span key={fact} dir="auto">
                {fact}
              </span>
            ))}
            {score10 ? <span title="Average rating">★ {score10.toFixed(1)}</span> : null}
            {popularityRank ? (
              <span title="Place among the best known">
                #{popularityRank.toLocaleString('en')} popular
              </span>
            ) : null}
            {status && <span class="badge">{listLabel(status, dataset)}</span>}
            <OtherTitles entry={result} />
          </p>
          {showsFit && <Relevance score={result.score} />}
          <span class="rank" aria-hidden="true">
            {rank}
          </span>
        </header>
        <Synopsis text={result.synopsis} words={result.explain?.words} />
        {matched && isShownText(result) && <Matched key={matched.text} matched={matched} />}
        <footer>
          <Reasons result={result} />
          <Tags tags={tags} />
          <div class="card-actions">
            <ThatsTheOne dataset={dataset} work={id} rank={rank} />
            <LikeActions dataset={dataset} id={id} />
            <SiteLinks links={result.links?.slice(0, 1)} />
            <Franchise dataset={dataset} entries={result.franchiseEntries} />
          </div>
        </footer>
      </div>
    </article>
  )
}
