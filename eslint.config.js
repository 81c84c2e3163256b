// Lint: type-aware promise rules, and the import direction of docs/architecture.md as rules.
import tseslint from 'typescript-eslint'

const SERVICES = ['gateway', 'contract', 'signing', 'notification']

/** Library → the workspace packages it may import. protocol imports zod alone. */
const MAY_IMPORT = {
  protocol: [],
  telemetry: [],
  database: ['telemetry'],
  testing: [],
  config: ['protocol', 'database'],
  background: ['protocol', 'telemetry', 'database'],
  http: ['protocol', 'telemetry', 'database', 'config', 'testing'],
  rpc: ['protocol', 'telemetry', 'background', 'http'],
  messaging: ['protocol', 'telemetry', 'database', 'background', 'config', 'rpc', 'testing'],
  web: ['protocol'],
  codes: ['protocol', 'telemetry', 'database', 'background', 'config', 'http', 'messaging', 'testing', 'web'],
}

/** Only one file in the tree imports each of these. */
const ONE_DOOR = {
  kafkajs: 'libs/messaging/src/kafka/client.ts',
  '@opentelemetry/sdk-node': 'libs/telemetry/src/register.ts',
  nodemailer: 'services/notification/src/smtp/mailer.ts',
  'trpc-to-openapi': 'libs/rpc/src/openapi-document.ts',
}

const packages = (names) => names.map((name) => `@paraph/${name}/*`)

/** Folder → the packages it must not import. */
const FOLDERS = {
  ...Object.fromEntries(
    Object.entries(MAY_IMPORT).map(([name, allowed]) => {
      const others = [...Object.keys(MAY_IMPORT), ...SERVICES, 'local', 'test'].filter(
        (other) => other !== name && !allowed.includes(other),
      )
      return [`libs/${name}/src/`, [{ group: packages(others), message: 'Libraries import downwards only.' }]]
    }),
  ),
  ...Object.fromEntries(
    SERVICES.map((name) => [
      `services/${name}/src/`,
      [
        {
          group: packages(SERVICES.filter((other) => other !== name)),
          allowTypeImports: true,
          message: 'A service knows another only as a type.',
        },
        { group: packages(['local', 'test']), message: 'Services do not know who starts or tests them.' },
      ],
    ]),
  ),
  'deploy/': [],
  'test/': [],
}

const restrict = (files, patterns, doors) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns,
        paths: doors.map((name) => ({
          name,
          allowTypeImports: true,
          message: `Only ${ONE_DOOR[name]} imports ${name}.`,
        })),
      },
    ],
  },
})

const doors = Object.keys(ONE_DOOR)
const folderRules = Object.entries(FOLDERS).map(([folder, patterns]) => restrict([`${folder}**`], patterns, doors))
/** A door file keeps the rules of its folder; only its own door is open. */
const doorRules = Object.entries(ONE_DOOR).map(([name, file]) => {
  const [, patterns] = Object.entries(FOLDERS).find(([folder]) => file.startsWith(folder))
  return restrict(
    [file],
    patterns,
    doors.filter((other) => other !== name),
  )
})

export default tseslint.config(
  { ignores: ['**/.cache/**', '**/dist/**', '**/node_modules/**', '**/.data/**', '**/.turbo/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', prefer: 'type-imports' },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  {
    // Property checks do not reach into a spread literal: `f({ a: 1, ...{ typo: 2 } })` compiles.
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.js'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'SpreadElement > ObjectExpression', message: 'Write the properties, not a spread literal.' },
        { selector: 'SpreadElement > ArrayExpression', message: 'Write the elements, not a spread literal.' },
      ],
    },
  },
  {
    files: ['services/*/src/**', 'libs/*/src/**', 'tools/*/src/**', 'deploy/*/src/**'],
    ignores: [
      '**/config.ts',
      '**/migrate.ts',
      '**/bus-migrate.ts',
      '**/run-migrations.ts',
      '**/*.test.ts',
      '**/*.test.tsx',
      '**/reference/samples/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['services/*/src/**', 'libs/*/src/**', 'deploy/*/src/**'],
    ignores: ['libs/testing/**', '**/*.test.ts', '**/*.test.tsx', '**/*-fixture.ts', '**/*-fixture.tsx'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@jest/globals', '@paraph/testing/wait-for', '@paraph/testing/expect-with-message'],
              message: 'Only tests and their fixtures.',
            },
          ],
        },
      ],
    },
  },
  ...folderRules,
  ...doorRules,
  {
    files: ['test/runner/postgres-setup.ts', 'test/bench/**', '**/*.int.test.ts', '**/*-fixture.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
)
