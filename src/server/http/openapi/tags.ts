/** The chapters of the documentation, in the order in which they stand there. */
export const tags = {
  'Description similarity':
    'Describe a work; the entries with the nearest synopses come back, compared by a model that you name.',
  Search: 'The same search, ranked by a model that reads your words and each synopsis together.',
  'More like this': 'Entries similar to an entry, found by its stored vectors.',
  Browse: 'Titles while somebody types, one entry with all its texts, and what can be filtered by.',
  Writes: 'Change the catalogue while it is served. A task says when searches find a change.',
  'Drop-in shapes':
    'Vectors and rankings of your own texts, in the shapes of OpenAI, Cohere, Jina and text-embeddings-inference.',
  Models: 'Which models there are, and what is installed of them.',
  Health: 'The state of the server, for people, monitors and orchestrators.',
  Documentation: 'This documentation, for people and for programs.',
} as const

export type TagName = keyof typeof tags
