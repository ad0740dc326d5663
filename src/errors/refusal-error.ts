/** A request is refused before any work for it has begun. */
export class RefusalError extends Error {}
