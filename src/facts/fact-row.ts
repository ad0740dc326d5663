/** What is known of a work beside its texts; what nobody tells is null or empty. */
export interface FactRow {
  /** Lower-case snake, such as `tv` or `light_novel`. */
  readonly type: string | null
  readonly year: number | null
  readonly episodes: number | null
  readonly volumes: number | null
  /** 0 to 10. */
  readonly score: number | null
  readonly genres: readonly string[]
  /** Tags of the vocabulary by weight: 1 a touch, 2 clearly there, 3 what the work is about. */
  readonly tags: ReadonlyMap<string, number>
  readonly studios: readonly string[]
  /** Authors and directors, given name first. */
  readonly people: readonly string[]
  readonly audience: string | null
  readonly source: string | null
  readonly status: string | null
  /** Key that the works of a franchise share. */
  readonly franchise: string | null
  /** `main`, `sequel`, `movie` and so on. */
  readonly place: string | null
  readonly adult: boolean
}
