// Runs veraPDF, which checks a PDF against the rules of PDF/A and PDF/UA. Maven downloads it once to ~/.cache/verapdf-test.
// Imports only Node, so that a plain `node` 24 script can import this file.
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const VERSION = '1.28.2'
const CACHE = join(homedir(), '.cache', 'verapdf-test', VERSION)
const run = promisify(execFile)

/** A rule of the profile that the file breaks. */
interface FailedRule {
  clause: string
  testNumber: number
  description: string
  checks: { context: string; errorMessage?: string }[]
}

interface Report {
  report: {
    jobs: {
      itemDetails: { name: string }
      validationResult: { compliant: boolean; details: { passedRules: number; ruleSummaries: FailedRule[] } }[]
    }[]
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Fills an empty cache: the jars, 19 MB.
 * @throws Error if there is no Java, or no Maven to fill the cache
 */
export async function prepareVeraPdf(): Promise<void> {
  await run('java', ['-version'])
  if (await isThere(CACHE)) return
  await mkdir(join(CACHE, '..'), { recursive: true })
  const folder = await mkdtemp(`${CACHE}.`)
  try {
    await writeFile(join(folder, 'pom.xml'), POM)
    const copy = ['-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'lib')}`]
    await run('mvn', ['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies', ...copy], {
      timeout: 240_000,
    })
    // The first rename wins; the copy of another process is equally good.
    await rename(folder, CACHE).catch(async (error: unknown) => {
      if (!(await isThere(CACHE))) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Checks files against one profile.
 * @param flavour `ua1` is PDF/UA-1, `3a` is PDF/A-3a
 * @returns for each file the rules that it breaks, and how many it keeps
 */
export async function checkWithVeraPdf(flavour: 'ua1' | '3a', files: readonly string[]) {
  await prepareVeraPdf()
  const cli = [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    join(CACHE, 'lib', '*'),
    'org.verapdf.apps.GreenfieldCliWrapper',
  ]
  // The exit code is 1 if a file breaks a rule.
  const { stdout } = await run('java', [...cli, '--flavour', flavour, '--format', 'json', ...files], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => error as { stdout: string })
  const { report } = JSON.parse(stdout) as Report
  return report.jobs.map(({ itemDetails, validationResult: [result] }) => ({
    file: itemDetails.name,
    passedRules: result!.details.passedRules,
    failures: result!.details.ruleSummaries.map(
      ({ clause, testNumber, description, checks }) =>
        `${clause}-${testNumber}: ${description} ${checks[0]?.errorMessage ?? ''} ${checks[0]?.context ?? ''}`,
    ),
  }))
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local.test</groupId><artifactId>verapdf-jars</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.verapdf.apps</groupId><artifactId>greenfield-apps</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
  </plugin></plugins></build>
</project>
`
