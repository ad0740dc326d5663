/** Kinds of works that an import can exclude. */
export const workKinds = ['adult', 'kids', 'music'] as const
export type WorkKind = (typeof workKinds)[number]
