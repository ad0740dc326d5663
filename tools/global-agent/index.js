/**
 * The install script of onnxruntime-node fetches 400 MB of GPU libraries, whether or not there is a GPU. It calls
 * this first, which ends it, unless ONNXRUNTIME_NODE_INSTALL requests them. No option of npm does that with every
 * version: npm 10 knows no `allowScripts`, and npm 11 warns of the script's own option in `.npmrc` at each start.
 */
exports.bootstrap = () => {
  if (process.env.ONNXRUNTIME_NODE_INSTALL === undefined) process.exit(0)
}
