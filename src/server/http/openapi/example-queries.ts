/** Example queries of the documentation; the included works have their entries. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import type { Example } from './operation.js'

export interface ExampleQuery {
  readonly text: string
  /** Title of the entry that it describes. */
  readonly finds: string
}

/** @param bodyOf makes the body that searches for a text */
export const examplesOf = (
  dataset: DatasetName,
  bodyOf: (text: string) => object,
): Record<string, Example> =>
  Object.fromEntries(
    queriesOf(dataset).map(({ text, finds }) => [
      finds,
      { summary: `Finds ${finds}`, value: bodyOf(text) },
    ]),
  )

export const queriesOf = (dataset: DatasetName): readonly ExampleQuery[] =>
  queries[dataset] ?? [{ text: 'what you remember of it', finds: 'an entry' }]

const queries: Readonly<Record<DatasetName, readonly ExampleQuery[]>> = {
  anime: [
    {
      text: "a student finds a death god's notebook that kills whoever's name is written in it",
      finds: 'Death Note',
    },
    {
      text: 'a girl works in a bathhouse for spirits to save her parents, who were turned into pigs',
      finds: 'Sen to Chihiro no Kamikakushi',
    },
  ],
  manga: [
    {
      text: 'a one-eyed mercenary with a giant sword and an iron arm hunts demons',
      finds: 'Berserk',
    },
    {
      text: 'a boy made of rubber gathers a crew to become king of the pirates',
      finds: 'One Piece',
    },
  ],
}
