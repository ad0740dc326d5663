/** How many results there are, their order, the language of titles, and what is left out. */
import { countLabel } from '../lib/words.js'
import { sortOrders, titleLanguages, type SortOrder, type TitleLanguage } from '../lib/query.js'
import { hasList, hidesSeen, hideSeen } from '../state/my-list.js'
import { chooseTitles, navigate, query } from '../state/navigation.js'
import { found } from '../state/search.js'

const sortLabels: Readonly<Record<SortOrder, string>> = {
  fit: 'Best match',
  year: 'Newest',
  rating: 'Highest rated',
  popularity: 'Most popular',
}
const titleLabels: Readonly<Record<TitleLanguage, string>> = {
  english: 'English',
  romaji: 'Romaji',
  native: 'Native',
}

export function ResultBar() {
  const { sort, forMe } = query.value
  return (
    <div class="result-bar">
      <p class="total">{countLabel(found.value.total, 'result')}</p>
      <label>
        <span>Sort</span>
        <select
          aria-label="Sort"
          value={sort}
          onChange={({ currentTarget }) => navigate({ sort: currentTarget.value as SortOrder })}
        >
          {sortOrders.map((order) => (
            <option key={order} value={order}>
              {sortLabels[order]}
            </option>
          ))}
        </select>
      </label>
      <TitleChoice />
      {hasList.value && !forMe && (
        <label class="toggle">
          <input
            type="checkbox"
            checked={hidesSeen.value}
            onChange={({ currentTarget }) => hideSeen(currentTarget.checked)}
          />
          Hide what I have seen
        </label>
      )}
    </div>
  )
}

export function TitleChoice() {
  return (
    <label>
      <span>Titles</span>
      <select
        aria-label="Titles"
        value={query.value.titles}
        onChange={({ currentTarget }) => chooseTitles(currentTarget.value as TitleLanguage)}
      >
        {titleLanguages.map((language) => (
          <option key={language} value={language}>
            {titleLabels[language]}
          </option>
        ))}
      </select>
    </label>
  )
}
