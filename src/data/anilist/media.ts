/**
 * From a page of media to flat records, one a work. The keys of a dataset are always the same and
 * in the same order, null or an empty list where the service says nothing; data/sources/anilist-*.json
 * maps them. A member of an unexpected type counts as unsaid: one odd work does not cost a page.
 */
import * as v from 'valibot'

/** `id` is AniList's, `idMal` that of MyAnimeList. */
type MediaRecord = Readonly<Record<string, unknown>> & { readonly id: number }

export interface MediaPage {
  readonly records: readonly MediaRecord[]
  /** Works without a usable id, left out. */
  readonly unusable: number
  readonly hasNextPage: boolean
}

/** The page of a parsed body, null where the body is of another shape. */
export function readMediaPage(body: unknown, dataset: 'anime' | 'manga'): MediaPage | null {
  const parsed = v.safeParse(pageSchema, body)
  if (!parsed.success) return null
  const { pageInfo, media } = parsed.output.data.Page
  const toRecord = dataset === 'anime' ? animeRecord : mangaRecord
  const records = media.flatMap((medium) => (medium === null ? [] : [toRecord(medium)]))
  return { records, unusable: media.length - records.length, hasNextPage: pageInfo.hasNextPage }
}

function animeRecord(medium: Medium): MediaRecord {
  const { episodes, duration, studios } = medium
  const makers = names(studios?.nodes)
  return { ...common(medium, 'ANIME'), episodes, duration, ...facts(medium), studios: makers }
}

function mangaRecord(medium: Medium): MediaRecord {
  const { volumes, staff } = medium
  const people = (staff?.edges ?? []).flatMap((edge) => {
    const name = edge?.node?.name?.full ?? null
    return name === null ? [] : [{ name, role: edge?.role ?? null }]
  })
  const authors = people.filter(({ role }) => isAuthor(role)).map(({ name }) => name)
  return {
    ...common(medium, 'MANGA'),
    volumes,
    ...facts(medium),
    authors: [...new Set(authors)],
    staff: people,
  }
}

function common(medium: Medium, mediaType: 'ANIME' | 'MANGA') {
  const { id, idMal, title, synonyms, format, startDate, genres, tags } = medium
  const { description, coverImage, siteUrl } = medium
  return {
    id,
    idMal,
    titleRomaji: title?.romaji ?? null,
    titleEnglish: title?.english ?? null,
    titleNative: title?.native ?? null,
    synonyms: withoutNulls(synonyms),
    format,
    year: startDate?.year ?? null,
    genres: withoutNulls(genres),
    tags: (tags ?? []).filter((tag) => tag !== null),
    related: relatedIds(medium, mediaType),
    description,
    cover: coverImage?.large ?? null,
    url: siteUrl,
  }
}

/** Relations within a franchise; works that share a character or a maker are none. */
const franchiseRelations: ReadonlySet<string> = new Set(
  'PREQUEL SEQUEL PARENT SIDE_STORY SPIN_OFF SUMMARY ALTERNATIVE COMPILATION CONTAINS'.split(' '),
)

/** Ids of the franchise's other works of the same type of media. */
function relatedIds({ relations }: Medium, mediaType: string): number[] {
  return (relations?.edges ?? []).flatMap((edge) => {
    const { relationType, node } = edge ?? { relationType: null, node: null }
    const isOne = franchiseRelations.has(relationType ?? '') && node?.type === mediaType
    return isOne ? [node.id] : []
  })
}

function facts({ averageScore, popularity, isAdult, countryOfOrigin, source }: Medium) {
  return { averageScore, popularity, isAdult, countryOfOrigin, source }
}

/** Roles carry notes: "Story & Art (vols 1-3)". Translators and letterers are staff as well. */
function isAuthor(role: string | null): boolean {
  return /^(?:story|art|story & art|illustration|original (?:story|creator))(?: \(.*)?$/i.test(
    role ?? '',
  )
}

function names(nodes: readonly ({ name: string | null } | null)[] | null | undefined): string[] {
  return withoutNulls((nodes ?? []).map((node) => node?.name ?? null))
}

function withoutNulls(values: readonly (string | null)[] | null): string[] {
  return [...new Set((values ?? []).filter((value) => value !== null))]
}

/** Null for what is missing, null or of another type. */
function lenient<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.fallback(v.nullable(schema), null), null)
}

const text = lenient(v.string())
const integer = lenient(v.pipe(v.number(), v.integer()))
const texts = lenient(v.array(text))

const mediumSchema = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  idMal: integer,
  title: lenient(v.object({ romaji: text, english: text, native: text })),
  synonyms: texts,
  format: text,
  startDate: lenient(v.object({ year: integer })),
  genres: texts,
  tags: lenient(
    v.array(
      lenient(v.object({ name: v.string(), rank: integer, isMediaSpoiler: lenient(v.boolean()) })),
    ),
  ),
  description: text,
  coverImage: lenient(v.object({ large: text })),
  siteUrl: text,
  relations: lenient(
    v.object({
      edges: lenient(
        v.array(
          lenient(
            v.object({
              relationType: text,
              node: lenient(v.object({ id: v.number(), type: text })),
            }),
          ),
        ),
      ),
    }),
  ),
  episodes: integer,
  duration: integer,
  volumes: integer,
  averageScore: integer,
  popularity: integer,
  isAdult: lenient(v.boolean()),
  countryOfOrigin: text,
  source: text,
  studios: lenient(v.object({ nodes: lenient(v.array(lenient(v.object({ name: text })))) })),
  staff: lenient(
    v.object({
      edges: lenient(
        v.array(
          lenient(
            v.object({
              role: text,
              node: lenient(v.object({ name: lenient(v.object({ full: text })) })),
            }),
          ),
        ),
      ),
    }),
  ),
})
type Medium = v.InferOutput<typeof mediumSchema>

const pageSchema = v.object({
  data: v.object({
    Page: v.object({
      pageInfo: v.object({ hasNextPage: v.boolean() }),
      media: v.array(lenient(mediumSchema)),
    }),
  }),
})
