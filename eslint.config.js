// The rules of ESLint. `.dependency-cruiser.mjs` contains the rules about which folder may import which.
import tseslint from 'typescript-eslint'

/** Package → the only file that may import it. */
const ONE_DOOR = {
  kafkajs: 'libs/messaging/src/kafka/client.ts',
  '@opentelemetry/sdk-node': 'libs/telemetry/src/register.ts',
  nodemailer: 'services/notification/src/smtp/mailer.ts',
  'trpc-to-openapi': 'libs/rpc/src/openapi-document.ts',
}

/** Forbids in `files` the imports of the packages above, except those in `open`. */
const refuseDoors = (files, open = []) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: Object.entries(ONE_DOOR)
          .filter(([name]) => !open.includes(name))
          .map(([name, file]) => ({ name, allowTypeImports: true, message: `Only ${file} imports ${name}.` })),
      },
    ],
  },
})

export default tseslint.config(
  { ignores: ['**/.cache/**', '**/dist/**', '**/node_modules/**', '**/.data/**', '**/.turbo/**'] },
  // Compiled against a client that test/generated-clients/run.mjs generates.
  { ignores: ['test/generated-clients/typescript/**'] },
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
    // TypeScript does not check for unknown properties in a spread literal: `f({ a: 1, ...{ typo: 2 } })` compiles.
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
              message: 'Only tests and their fixtures import this.',
            },
          ],
        },
      ],
    },
  },
  refuseDoors(['libs/**', 'services/**', 'tools/**', 'deploy/**', 'test/**']),
  ...Object.entries(ONE_DOOR).map(([name, file]) => refuseDoors([file], [name])),
  {
    files: ['test/runner/postgres-setup.ts', 'test/bench/**', '**/*.int.test.ts', '**/*-fixture.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
)
