/** Kinds of works that an import can exclude. */
export const workKinds = ['adult', 'kids', 'music'] as const
export type WorkKind = (typeof workKinds)[number]

/** What searches do with works for adults where a request does not say. */
export const adultWorks = ['include', 'exclude'] as const
export type AdultWorks = (typeof adultWorks)[number]
