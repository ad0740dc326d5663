/** How results are sorted, and what of them is counted: members that several requests share. */
import * as v from 'valibot'
import { facetNames, factOrders, type FacetName } from '../../search/service/ranked-search.js'
import { suggestion } from '../../base/util/suggest.js'
import { kindOf } from './parts.js'

const maxNameLength = 64
const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(maxNameLength))
const words = ['fit', ...factOrders]

/** @param byDefault the order of requests that name none */
export const sortEntry = (byDefault: string, description: string) =>
  v.optional(
    v.pipe(
      v.union(
        [
          name,
          v.strictObject({
            by: v.pipe(name, v.description('The same names.')),
            order: v.optional(v.picklist(['ascending', 'descending']), 'descending'),
          }),
        ],
        ({ input }) =>
          `expected ${words.join(', ')}, a number of the metadata, or an object of by and order, received ${kindOf(input)}`,
      ),
      v.transform((sort) =>
        typeof sort === 'string'
          ? { by: sort }
          : { by: sort.by, ascending: sort.order === 'ascending' },
      ),
      v.description(
        `${description} A name, or \`{"by": name, "order": "ascending"}\`: \`${words.join('`, `')}\`, or a number, date or boolean that the mapping declares filterable.`,
      ),
    ),
    byDefault,
  )

const describeNames = (input: unknown): string => {
  if (!Array.isArray(input)) return kindOf(input)
  const strange = input.find((one) => !facetNames.some((known) => known === one)) as unknown
  return typeof strange === 'string'
    ? `${JSON.stringify(strange.slice(0, 40))}${suggestion(strange, facetNames)}`
    : kindOf(strange)
}

export const facetsEntry = v.optional(
  v.pipe(
    v.union(
      [v.boolean(), v.pipe(v.array(v.picklist(facetNames)), v.maxLength(facetNames.length))],
      ({ input }) =>
        `expected true, false or a list of ${facetNames.join(', ')}; received ${describeNames(input)}`,
    ),
    v.transform((facets): readonly FacetName[] | undefined => {
      if (typeof facets === 'boolean') return facets ? facetNames : undefined
      return facets.length === 0 ? undefined : facets
    }),
    v.description(
      'Whether the response counts what its results can be filtered by: `true`, or a list of what to count.',
    ),
  ),
  false,
)
