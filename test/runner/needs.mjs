// Requirements that a machine may lack, and the tests that need them.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chartToolsAreThere } from '../chart/chart-tools.ts'
import { kafkaIsThere, prepareKafka } from '../../libs/messaging/test/kafka-broker-fixture.ts'
import { prepareVeraPdf } from '../../services/signing/test/verapdf-fixture.ts'

const succeeds = (attempt) =>
  attempt.then(
    () => true,
    () => false,
  )
const shell = (script) => succeeds(promisify(execFile)('bash', ['-c', script]))

/** Fails if Chromium cannot run. npm installs Chromium for Linux on x64; the machine must provide libnss3 and libexpat1. */
async function runChromium() {
  const { default: chromium } = await import('@sparticuz/chromium')
  await promisify(execFile)(await chromium.executablePath(), ['--version'])
}

/** Maven downloads the jars of Kafka at the first call. */
const canRunKafka = async () => (await kafkaIsThere()) && succeeds(prepareKafka())

const e2e = (name) => `/${name}\\.e2e\\.test\\.ts$`

/** `tests`: patterns of the paths of tests to skip. `isOptional`: the tests may be skipped even with REQUIRE_ALL=1. */
const NEEDS = [
  {
    isThere: () => succeeds(runChromium()),
    sentence: 'SKIPPED: no Chromium (Linux on x64 with libnss3 and libexpat1); the tests in a browser did not run.',
    tests: ['main-job', 'ceremony', 'ceremony-ways', 'pages', 'screens', 'docs', 'console'].map(e2e),
  },
  {
    isThere: () => shell('for each in firefox-esr WebKitWebDriver Xvfb; do command -v $each || exit 1; done'),
    sentence:
      'SKIPPED: no firefox-esr, WebKitWebDriver or Xvfb (Debian: firefox-esr, webkit2gtk-driver, xvfb); the main story ran in Chromium alone.',
    tests: [e2e('other-browsers')],
  },
  {
    isThere: canRunKafka,
    sentence:
      'SKIPPED: no Kafka broker (Java 17 or newer, and Maven with access to its repository once); the Kafka tests did not run.',
    tests: ['/kafka[^/]*\\.(int|e2e)\\.test\\.ts$', '/kafka/[^/]*\\.int\\.test\\.ts$', '/topics\\.int\\.test\\.ts$'],
  },
  {
    isThere: () => shell('test -x "${XDG_CACHE_HOME:-$HOME/.cache}/paraph-kube/bin/versitygw"'),
    sentence: 'SKIPPED: no versitygw (.ci/object-store builds it); the tests of the object store did not run.',
    tests: ['/documents/[^/]*\\.int\\.test\\.ts$', '/object-store\\.int\\.test\\.ts$', e2e('object-store')],
  },
  {
    isThere: () => shell('test -x "${XDG_CACHE_HOME:-$HOME/.cache}/paraph-kube/bin/stripe-mock"'),
    sentence:
      'SKIPPED: no stripe-mock (.ci/stripe-mock builds it); the requests to Stripe were not checked by its own description.',
    tests: ['/stripe-mock\\.int\\.test\\.ts$'],
  },
  {
    // Maven downloads the jars of veraPDF at the first call.
    isThere: () => succeeds(prepareVeraPdf()),
    sentence:
      'SKIPPED: no veraPDF (Java, and Maven with access to its repository once); the check of PDF/A and PDF/UA did not run.',
    tests: ['/archive-formats\\.int\\.test\\.ts$'],
  },
  {
    isThere: () =>
      shell(
        'openssl version | grep -q "^OpenSSL 3" && for each in basenc sha256sum pdfsig pdftotext; do command -v $each || exit 1; done',
      ),
    sentence:
      'SKIPPED: no openssl 3, coreutils or poppler-utils; the checks of evidence with third-party tools did not run.',
    tests: ['certificate', 'evidence', 'other-scripts', 'keys-handbook', 'docs'].map(e2e),
  },
  {
    isThere: () => shell('for each in curl python3; do command -v $each || exit 1; done'),
    sentence: 'SKIPPED: no curl, bash or python3; tests of the reference, console and README did not run.',
    tests: ['docs', 'console', 'readme'].map(e2e),
  },
  {
    isThere: () => shell('PATH=$PATH:/usr/sbin command -v pgbouncer'),
    sentence: 'SKIPPED: no pgbouncer; the tests of a connection pooler did not run.',
    tests: [e2e('pooler')],
  },
  {
    isThere: chartToolsAreThere,
    sentence:
      'SKIPPED: no helm, kubeconform, kube-score, promtool, crane, actionlint, amtool or oasdiff (.ci/chart-tools builds them); the chart tests and the test for breaking changes did not run.',
    tests: ['\\.chart\\.test\\.ts$'],
  },
  // The needs below leave out no file: only some tests of a file need them, and those skip themselves.
  {
    isThere: () => shell('[ "$(id -u)" = 0 ] && [ -e /dev/full ] && unshare --mount true'),
    sentence:
      'SKIPPED: not root, or no mount namespaces or /dev/full (Linux); the tests of full disks, of host names that do not resolve and of a start as root did not run.',
    tests: [],
  },
  {
    isThere: () =>
      shell('for each in psql openssl; do command -v $each || exit 1; done; ls /usr/lib/*/faketime/libfaketimeMT.so.1'),
    sentence:
      'SKIPPED: no psql, openssl or libfaketime; the tests of deploy/databases.sql, of TLS to Postgres and of clocks that step did not run.',
    tests: [],
  },
  {
    // Optional, because the archive of a release has no history.
    isThere: () => shell('[ "$(git rev-parse --is-shallow-repository)" = false ]'),
    isOptional: true,
    sentence: 'SKIPPED: no Git history, or a shallow clone; the test of the previous version did not run.',
    tests: [],
  },
  {
    // Optional, because building the image takes minutes.
    isThere: () => Promise.resolve(Boolean(process.env.PARAPH_IMAGE_TAR) && process.getuid?.() === 0),
    isOptional: true,
    sentence: 'SKIPPED: no image (deploy/stand-in/build.sh, PARAPH_IMAGE_TAR; as root); the image tests did not run.',
    tests: ['/image\\.int\\.test\\.ts$'],
  },
]

/** @returns the needs that this machine does not meet */
export async function findLacking() {
  const isThere = await Promise.all(NEEDS.map((need) => need.isThere()))
  return NEEDS.filter((_, at) => !isThere[at])
}
