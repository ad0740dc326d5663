/** One class for each fault that a caller can act on. */
export * from './plain.js'
export * from './with-fields.js'
