/** Works of the catalogue behind the page: what people search, a franchise, and texts that mean harm. */

export interface WorkRow {
  readonly dataset: 'anime' | 'manga'
  readonly id: number
  readonly title: string
  readonly [name: string]: unknown
}

const franchise = { franchise: 'kettle', studios: ['Studio Steam'], genres: ['Comedy'] }

export const works: readonly WorkRow[] = [
  {
    dataset: 'anime',
    id: 1,
    title: 'Kettle of the Moon',
    titleJapanese: '月の薬缶',
    titleEnglish: 'Moon Kettle',
    type: 'tv',
    year: 1998,
    episodes: 26,
    score: 8.2,
    ...franchise,
    relation: 'main',
    audience: 'seinen',
    source: 'manga',
    tags: { relaxing: 3, travel: 2, 'found-family': 1 },
    synopsis:
      'A wandering tinker mends kettles in mountain villages. In every kettle lives a quiet ghost, and ' +
      'he listens until the ghost is ready to leave.',
    others: 'he repairs teapots and the spirits inside tell him why they stayed',
  },
  {
    dataset: 'anime',
    id: 2,
    title: 'Kettle of the Moon II',
    type: 'tv',
    year: 2003,
    ...franchise,
    relation: 'sequel',
    tags: { relaxing: 3 },
    episodes: 12,
    synopsis: 'The tinker returns to the villages, and the kettles have new ghosts.',
  },
  {
    dataset: 'anime',
    id: 3,
    title: 'Kettle of the Moon: The Film',
    type: 'movie',
    year: 2001,
    ...franchise,
    relation: 'movie',
    episodes: 1,
    tags: { relaxing: 2, epic: 1 },
    synopsis: 'The tinker follows a kettle that floats down the river to the sea.',
  },
  {
    dataset: 'anime',
    id: 4,
    title: 'Notebook of Endings',
    type: 'tv',
    year: 2006,
    episodes: 37,
    titleJapanese: '終わりの帳面',
    genres: ['Thriller'],
    score: 8.6,
    audience: 'shounen',
    url: 'https://www.crunchyroll.com/series/notebook',
    tags: { 'battle-of-wits': 3, 'death-gods': 2, dark: 2 },
    studios: ['Madhouse'],
    synopsis:
      'A student finds a notebook that kills anyone whose name he writes in it, and a detective who ' +
      'eats sweets hunts him.',
    spoilers:
      'Rain falls on the funeral of the barefoot sleuth, whose heart stopped in the hideout.',
  },
  {
    dataset: 'anime',
    id: 5,
    title: 'Only Us at the Pool',
    type: 'ova',
    year: 2010,
    adult: true,
    genres: ['Hentai'],
    synopsis: 'A kettle is seen by nobody at the pool.',
  },
  {
    dataset: 'anime',
    id: 6,
    title: 'Iron Arm: The Animation',
    type: 'ova',
    year: 1994,
    franchise: 'iron-arm',
    relation: 'main',
    source: 'manga',
    tags: { dark: 3, revenge: 2 },
    genres: ['Action'],
    synopsis:
      'The mercenary with the iron arm and the giant sword fights a demon in a burning castle.',
  },
  ...Array.from({ length: 24 }, (_, at) => ({
    dataset: 'anime' as const,
    id: 100 + at,
    title: `Lighthouse ${at + 1}`,
    type: 'tv',
    year: 1990 + at,
    genres: ['Drama'],
    tags: { ocean: 2, [at % 2 === 0 ? 'relaxing' : 'dark']: 1 },
    synopsis: `Keeper number ${at + 1} of a lighthouse waits for a ship that is late by ${at + 1} days.`,
  })),
  {
    dataset: 'manga',
    id: 7,
    title: 'Iron Arm',
    titleJapanese: '鉄の腕',
    url: 'https://mangaplus.shueisha.co.jp/titles/7',
    franchise: 'iron-arm',
    relation: 'main',
    type: 'manga',
    year: 1989,
    tags: { dark: 3, revenge: 3 },
    genres: ['Action'],
    synopsis: 'A one-eyed mercenary with a giant sword and an iron arm hunts demons.',
  },
  {
    dataset: 'manga',
    id: 8,
    title: 'Iron Arm: The Novel',
    type: 'light_novel',
    year: 1995,
    synopsis: 'The mercenary with the iron arm, told in prose.',
  },
]

/** What a catalogue may hold that means harm, or is too much. */
export const hostileWorks: readonly WorkRow[] = [
  {
    dataset: 'anime',
    id: 1,
    title: '<script>window.harmed = 1</script>',
    titleJapanese: '<img src=x onerror="window.harmed = 2">',
    type: 'tv',
    year: 2000,
    studios: ['<b>Bold</b>', '"><script>'],
    genres: ['<i>Genre</i>'],
    synopsis:
      'kettle <script>window.harmed = 3</script> <a href="javascript:window.harmed = 4">x</a>',
    others: '</p><style>body { display: none }</style> kettle',
  },
  {
    dataset: 'anime',
    id: 2,
    title: 'لغلاية القمر \u202e kettle reversed',
    type: 'movie',
    synopsis: '\u202eحكاية kettle\u202c with marks that turn the text around',
  },
  {
    dataset: 'anime',
    id: 3,
    title: 'W'.repeat(400),
    titleJapanese: '長'.repeat(300),
    synopsis: `kettle ${'wordwithoutspaces'.repeat(600)}`,
  },
  {
    dataset: 'anime',
    id: 4,
    title: '👩‍👩‍👧‍👦 👾 Z̸͙̈a̴̰͘l̶̬̔g̵̱̚o̶͇̓',
    type: 'constructor',
    synopsis: `kettle ${'😀 '.repeat(5000)}`,
  },
  { dataset: 'manga', id: 5, title: 'Nothing Known', synopsis: 'kettle' },
]
