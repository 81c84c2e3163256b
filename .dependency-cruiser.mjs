// The allowed imports between folders, types included, and no import cycles. `npm run lint` checks them. [Rules of docs/explanation/architecture.md]

/** Library or tool → the libraries and tools that it may import. */
const PACKAGES = {
  'libs/protocol': [],
  'libs/telemetry': [],
  'libs/testing': [],
  'libs/config': ['libs/protocol'],
  'libs/database': ['libs/telemetry', 'libs/config'],
  'libs/background': ['libs/protocol', 'libs/telemetry', 'libs/database'],
  'libs/http': ['libs/protocol', 'libs/telemetry', 'libs/testing', 'libs/database'],
  'libs/rpc': ['libs/protocol', 'libs/telemetry', 'libs/database', 'libs/background', 'libs/http'],
  'libs/web': ['libs/protocol'],
  'libs/messaging': [
    ...['protocol', 'telemetry', 'testing', 'database', 'config', 'background', 'rpc'].map((name) => `libs/${name}`),
  ],
  'libs/codes': [
    ...['protocol', 'telemetry', 'testing', 'database', 'config', 'background', 'http', 'web', 'messaging'].map(
      (name) => `libs/${name}`,
    ),
  ],
  'tools/verify': ['libs/protocol', 'libs/database'],
  'tools/mailbox': ['libs/protocol', 'libs/telemetry', 'libs/config', 'libs/http', 'libs/web'],
}

/** Folder of a service → the folders and files of the same service that it may import. Every library is open to all. */
const FOLDERS = {
  contract: {
    domain: [],
    'long-poll': [],
    store: ['database.ts', 'metrics.ts', 'domain'],
    api: ['database.ts', 'domain', 'long-poll', 'store'],
  },
  gateway: {
    accounts: ['database.ts'],
    'rate-limit': ['database.ts'],
    keys: ['database.ts', 'accounts'],
    usage: ['database.ts', 'accounts'],
    'request-log': ['database.ts'],
    brand: [],
    edge: ['accounts', 'keys', 'rate-limit', 'request-log', 'usage'],
    billing: ['database.ts', 'accounts', 'edge', 'rate-limit'],
    openapi: ['edge', 'pages'],
    pages: ['edge', 'rate-limit'],
    reference: ['edge', 'openapi', 'pages'],
    home: ['edge', 'pages', 'reference'],
    brand: ['database.ts', 'accounts'],
    console: [
      'database.ts',
      'accounts',
      'billing',
      'brand',
      'keys',
      'request-log',
      'usage',
      'edge',
      'pages',
      'reference',
    ],
  },
  notification: {
    smtp: ['database.ts'],
    compose: ['database.ts', 'smtp'],
    webhooks: ['compose'],
    queue: ['database.ts', 'compose', 'smtp', 'notices', 'webhooks', 'test-mailbox.ts'],
  },
  signing: {
    clients: [],
    brand: ['database.ts'],
    documents: ['database.ts'],
    chain: ['database.ts', 'clients', 'documents'],
    reports: ['database.ts', 'chain'],
    decline: ['database.ts', 'clients', 'chain'],
    signature: ['database.ts', 'clients', 'chain'],
    sealing: ['database.ts', 'config.ts', 'brand', 'clients', 'documents', 'chain', 'decline', 'signature'],
    tasks: ['database.ts', 'clients', 'chain', 'decline', 'signature', 'sealing', 'simulator'],
    simulator: ['database.ts', 'clients', 'chain', 'codes', 'decline', 'signature'],
    codes: ['database.ts', 'clients', 'chain', 'tasks'],
    verify: ['chain', 'sealing'],
    ceremony: [
      'database.ts',
      'brand',
      'clients',
      'documents',
      'chain',
      'decline',
      'signature',
      'sealing',
      'codes',
      'reports',
      'verify',
    ],
  },
}

const ours = '^(libs|services|tools|deploy|test)/'
const tests = String.raw`\.test\.tsx?$|/test/`
const rule = (from, open, within = ours) => ({
  name: from,
  severity: 'error',
  comment: `${from} may import ${open.join(', ') || 'none of our folders'}.`,
  from: { path: `^${from}/`, pathNot: tests },
  to: { path: within, pathNot: [from, ...open].map((path) => `^${path}(/|$)`) },
})

export default {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pure domain',
      severity: 'error',
      comment: 'The domain of a service imports no npm package.',
      from: { path: '^services/[^/]+/src/domain/', pathNot: tests },
      to: { path: 'node_modules' },
    },
    ...Object.entries(PACKAGES).map(([from, open]) => rule(from, open)),
    ...Object.entries(FOLDERS).flatMap(([service, folders]) => {
      const src = `services/${service}/src`
      return Object.entries(folders).map(([folder, open]) =>
        rule(
          `${src}/${folder}`,
          open.map((name) => `${src}/${name}`),
          `^${src}/`,
        ),
      )
    }),
    ...Object.keys(FOLDERS).map((service) => ({
      name: `services/${service}`,
      severity: 'error',
      comment: 'A service imports only types of another service.',
      from: { path: `^services/${service}/src/`, pathNot: tests },
      to: {
        path: '^(services|tools|deploy|test)/',
        pathNot: `^services/${service}/`,
        dependencyTypesNot: ['type-only'],
      },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs|services|tools|deploy)/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
}
