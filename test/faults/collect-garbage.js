/** Preloaded into a server with --expose-gc: SIGUSR2 collects its garbage, so its heap holds what is in use. */
process.on('SIGUSR2', () => globalThis.gc())
