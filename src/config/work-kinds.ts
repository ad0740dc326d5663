/** Kinds of works that an import can leave out. */
export const workKinds = ['adult', 'kids', 'music'] as const
export type WorkKind = (typeof workKinds)[number]
