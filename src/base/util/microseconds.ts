/** Milliseconds to the microsecond; more digits would only be noise. */
export const toMicroseconds = (durationMs: number): number => Math.round(durationMs * 1000) / 1000
