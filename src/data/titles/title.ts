/** What goes into an index of titles. */

/** In the order in which equal matches stand, and of their numbers in a file. */
export const titleKinds = ['main', 'english', 'native', 'other'] as const
export type TitleKind = (typeof titleKinds)[number]

export interface Title {
  readonly row: number
  readonly text: string
  readonly kind: TitleKind
}
