/** Before the first query: three examples of what the box takes. */
import type { DatasetName } from '../lib/query.js'
import { has, withLists } from '../lib/server.js'
import { hasList, isListOpen } from '../state/my-list.js'
import { navigate, query, searchFor } from '../state/navigation.js'

interface Example {
  readonly kind: string
  readonly text: string
}

const examples = {
  anime: [
    {
      kind: 'A plot you half remember',
      text: 'a student finds a notebook that kills anyone whose name he writes in it',
    },
    { kind: 'Something like it', text: 'like Mushishi but darker' },
    { kind: 'What it should be', text: 'short 90s film without romance' },
  ],
  manga: [
    {
      kind: 'A plot you half remember',
      text: 'a one-eyed mercenary with a giant sword and an iron arm hunts demons',
    },
    { kind: 'Something like it', text: 'like Yotsuba&! but with older characters' },
    { kind: 'What it should be', text: 'finished seinen about food without romance' },
  ],
} satisfies Readonly<Record<string, readonly Example[]>>

const shownFor = (dataset: DatasetName): readonly Example[] =>
  Object.hasOwn(examples, dataset) ? examples[dataset as keyof typeof examples] : []

const both: readonly Example[] = [
  ...examples.anime.slice(0, 1),
  ...examples.manga.slice(0, 1),
  { kind: 'Something like it', text: 'like Vinland Saga but funny' },
]

export function First() {
  const { both: isBoth, dataset } = query.value
  return (
    <section class="examples" aria-label="Examples">
      <ol>
        {(isBoth && withLists.length > 1 ? both : shownFor(dataset)).map(({ kind, text }) => (
          <li key={text}>
            <button type="button" onClick={() => searchFor(text)}>
              <span class="kind">{kind}</span>
              <span class="example">{text}</span>
            </button>
          </li>
        ))}
        {has('browse') &&
          has('similar') &&
          (isBoth ? withLists.length > 0 : withLists.includes(dataset)) && (
            <li>
              <button
                type="button"
                onClick={() => {
                  if (hasList.value) navigate({ forMe: true })
                  else isListOpen.value = true
                }}
              >
                <span class="kind">Recommended for you</span>
                <span class="example">
                  {hasList.value
                    ? 'works that suit your list'
                    : 'drop your MyAnimeList or AniList export'}
                </span>
              </button>
            </li>
          )}
      </ol>
    </section>
  )
}
