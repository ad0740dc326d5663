/** Before the first query: three examples of what the box takes. */
import type { DatasetName } from '../lib/query.js'
import { query, searchFor } from '../state/navigation.js'

interface Example {
  readonly kind: string
  readonly text: string
}

const examples: Readonly<Record<DatasetName, readonly Example[]>> = {
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
}

export function First() {
  return (
    <section class="examples" aria-label="Examples">
      <ol>
        {examples[query.value.dataset].map(({ kind, text }) => (
          <li key={text}>
            <button type="button" onClick={() => searchFor(text)}>
              <span class="kind">{kind}</span>
              <span class="example">{text}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
