/** One result: the work, why it was found, and where to go from it. */
import { familyOf } from '../lib/families.js'
import type { Result } from '../lib/types.js'
import { factsOf } from '../lib/words.js'
import { AppLink } from './app-link.js'
import { Franchise } from './franchise.js'
import { LikeActions, SiteLinks } from './actions.js'
import { Synopsis } from './synopsis.js'
import { Relevance } from './relevance.js'
import { ThatsTheOne } from './thats-the-one.js'
import { Tags } from './tags.js'
import { NativeTitle, Tile } from './tile.js'

interface CardProps {
  readonly result: Result
  /** From 1, over all pages. */
  readonly rank: number
}

export function Card({ result, rank }: CardProps) {
  const { id, title, titleJapanese, titleEnglish, tags, score10, explain } = result
  const titleId = `result-${id}`
  const other = titleEnglish && titleEnglish !== title ? titleEnglish : undefined
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
            <AppLink change={{ work: id }} data-result>
              {title}
            </AppLink>
          </h2>
          <Relevance score={result.score} />
        </header>
        <p class="other-titles">
          {other && <span dir="auto">{other}</span>}
          <NativeTitle title={titleJapanese} main={title} />
        </p>
        <p class="facts">
          {factsOf(result).map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
          {score10 ? <span title="Average rating of its site">★ {score10.toFixed(1)}</span> : null}
          {result.listStatus && <span>{result.listStatus.toLowerCase()}</span>}
        </p>
        <Synopsis text={result.synopsis} words={explain?.words} />
        {explain?.facts && explain.facts.length > 0 && (
          <ul class="fits" aria-label="What fits your query">
            {explain.facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        )}
        <Tags tags={tags} />
        <Franchise entries={result.franchiseEntries} />
        <footer>
          <ThatsTheOne work={id} rank={rank} />
          <LikeActions title={title} />
          <SiteLinks links={result.links} />
          <span class="rank" aria-hidden="true">
            {rank}
          </span>
        </footer>
      </div>
    </article>
  )
}
