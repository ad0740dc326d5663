/** What a key may open. A key opens only the scopes that it lists: `admin` does not include the others. */
export const scopes = ['search', 'embed', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]
