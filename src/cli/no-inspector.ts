/**
 * SIGUSR1 opens Node's inspector, through which anybody on the machine could run code in the server. A listener
 * replaces that in every version of Node; `--disable-sigusr1` needs 22.14, and older ones refuse to start with it.
 */
process.on('SIGUSR1', () => undefined)
