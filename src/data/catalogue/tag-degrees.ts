/** How much a tag of weight 1, 2 or 3 says. */
export const tagDegrees = [0, 0.5, 0.8, 1] as const
