// The pods of the four services, and the objects that scale, protect, monitor and expose them.
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import {
  COMPONENTS,
  componentOf,
  environmentOf,
  findFor,
  ofKind,
  podOf,
  podsOf,
  render,
  type Component,
  type Values,
} from './rendered.js'

const [defaults, everything] = [render('default'), render('everything-on')]
const settingOf = (component: Component, name: string, values: Values = {}, ci = 'default') =>
  environmentOf(podOf(render(ci, values), component)).get(name)?.value

it('a component can override each default value separately, even with false and 0', () => {
  const manifests = render('default', {
    defaults: { settings: { LOG_LEVEL: 'warn' } },
    components: {
      contract: {
        podDisruptionBudget: { enabled: false },
        preStopSeconds: 0,
        resources: { requests: { cpu: '2' } },
        settings: { DRAIN_SECONDS: 0 },
      },
    },
  })
  expect(ofKind(manifests, 'PodDisruptionBudget').map(componentOf)).toEqual(['gateway', 'notification', 'signing'])
  const { spec, container } = podOf(manifests, 'contract')
  expect(container.resources.requests).toEqual({ cpu: '2', memory: '512Mi' })
  expect(spec.terminationGracePeriodSeconds).toBe(30)
  const settings = environmentOf(podOf(manifests, 'contract'))
  expect([settings.get('LOG_LEVEL')?.value, settings.get('DRAIN_SECONDS')?.value]).toEqual(['warn', '0'])
  expect(podOf(manifests, 'gateway').spec.terminationGracePeriodSeconds).toBe(50)
})

describe('labels', () => {
  it('are on every object, and selectors use only labels that no upgrade changes [H3]', () => {
    for (const { kind, metadata } of everything)
      expectWithMessage(Object.keys(metadata.labels), `${kind} ${metadata.name}`).toEqual(
        expect.arrayContaining(
          ['name', 'instance', 'version', 'part-of', 'managed-by'].map((l) => `app.kubernetes.io/${l}`),
        ),
      )
    for (const component of COMPONENTS) {
      const selected = { name: 'paraph', instance: 'paraph', component }
      const selector = Object.fromEntries(Object.entries(selected).map(([l, is]) => [`app.kubernetes.io/${l}`, is]))
      expect(findFor(everything, 'Deployment', component).spec.selector.matchLabels).toEqual(selector)
      expect(findFor(everything, 'Service', component).spec.selector).toEqual(selector)
      expect(podOf(everything, component).labels).toMatchObject(selector)
    }
  })
})

describe('each component', () => {
  it('has a replica count in the chart only without autoscaling [H4]', () => {
    for (const component of COMPONENTS) {
      expect(findFor(defaults, 'Deployment', component).spec.replicas).toBe(2)
      expect(findFor(everything, 'Deployment', component).spec).not.toHaveProperty('replicas')
    }
  })

  it('scales by CPU, never to zero, and down only after five minutes of low load [H23]', () => {
    expect(ofKind(defaults, 'HorizontalPodAutoscaler')).toEqual([])
    for (const component of COMPONENTS) {
      const { spec } = findFor(everything, 'HorizontalPodAutoscaler', component)
      expect(spec.minReplicas).toBe(2)
      expect(spec.maxReplicas).toBe({ contract: 12, signing: 9, gateway: 6, notification: 6 }[component])
      expect(spec.metrics[0].resource).toMatchObject({ name: 'cpu', target: { averageUtilization: 70 } })
      expect(spec.behavior.scaleDown.stabilizationWindowSeconds).toBeGreaterThanOrEqual(300)
    }
  })

  it('leaves the replica count to an external autoscaler, within the same bounds [H4, H23]', () => {
    const external = (maxReplicas: number) =>
      render('default', {
        components: { notification: { autoscaling: { enabled: true, external: true, maxReplicas } } },
      })
    expect(ofKind(external(8), 'HorizontalPodAutoscaler')).toEqual([])
    expect(findFor(external(8), 'Deployment', 'notification').spec).not.toHaveProperty('replicas')
    expect(() => external(9)).toThrow('the bus has 8 partitions')
  })

  it('loses at most one pod at a time in a node drain, and unhealthy pods do not block the drain [H5]', () => {
    for (const component of COMPONENTS)
      expect(findFor(defaults, 'PodDisruptionBudget', component).spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      })
    // A budget for a single pod would block every drain of its node.
    expect(ofKind(render('single-replica'), 'PodDisruptionBudget')).toEqual([])
    const scaledFromOne = { defaults: { autoscaling: { enabled: true, minReplicas: 1 } } }
    expect(ofKind(render('default', scaledFromOne), 'PodDisruptionBudget')).toEqual([])
    const one = render('default', { components: { signing: { replicaCount: 1 } } })
    expect(ofKind(one, 'PodDisruptionBudget').map(componentOf)).toEqual(['contract', 'gateway', 'notification'])
  })

  it('spreads its pods over nodes and zones where possible, and scheduling never waits for this [H21]', () => {
    for (const component of COMPONENTS) {
      const constraints = podOf(defaults, component).spec.topologySpreadConstraints!
      expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ])
      for (const each of constraints)
        expect(each).toMatchObject({ whenUnsatisfiable: 'ScheduleAnyway', matchLabelKeys: ['pod-template-hash'] })
    }
  })

  it('asks for the core that a signing pod uses while it seals [H22]', () => {
    const cpuOf = (component: Component) => podOf(defaults, component).container.resources.requests['cpu']
    expect(COMPONENTS.map(cpuOf)).toEqual(['250m', '250m', '250m', '1000m'])
  })
})

describe('a pod', () => {
  it.each(COMPONENTS)(
    'of %s has probes only on its internal port, and at least a minute to start [H6-H8, H10]',
    (component) => {
      const { container } = podOf(defaults, component)
      expect(container.startupProbe.httpGet).toEqual({ path: '/livez', port: 'internal' })
      expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'internal' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'internal' })
      const { periodSeconds, failureThreshold } = container.startupProbe
      expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60)
      expect(container.ports).toEqual([
        { name: 'http', containerPort: 8080 },
        { name: 'internal', containerPort: 8081 },
      ])
      const environment = environmentOf(podOf(defaults, component))
      expect([environment.get('PORT')?.value, environment.get('INTERNAL_PORT')?.value]).toEqual(['8080', '8081'])
    },
  )

  it('sleeps before SIGTERM, through the sleep action of Kubernetes [H12]', () => {
    for (const component of COMPONENTS)
      expect(podOf(defaults, component).container.lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } })
    const withoutSleep = render('default', { defaults: { preStopSeconds: 0 } })
    expectWithMessage(
      podOf(withoutSleep, 'gateway').container.lifecycle,
      'Kubernetes before 1.32 refuses a sleep of 0',
    ).toBeUndefined()
  })

  it.each([
    [{}, 50],
    [{ defaults: { settings: { DRAIN_SECONDS: 40 } } }, 75],
    [{ components: { gateway: { preStopSeconds: 12, settings: { LINGER_SECONDS: 9, DRAIN_SECONDS: 0 } } } }, 46],
  ])(
    'with %j has a grace period of pre-stop sleep + linger + drain + 25 s: %i s [H13, docs/how-to/operators/upgrade.md]',
    (values, seconds) => {
      expect(podOf(render('default', values), 'gateway').spec.terminationGracePeriodSeconds).toBe(seconds)
    },
  )

  it('stops only after its successor is ready [H12, H13]', () => {
    for (const component of COMPONENTS)
      expect(findFor(defaults, 'Deployment', component).spec.strategy.rollingUpdate).toEqual({
        maxSurge: 1,
        maxUnavailable: 0,
      })
  })

  it('is replaced when secretsVersion changes [H17]', () => {
    const annotationsOf = (values: Values) =>
      findFor(render('default', values), 'Deployment', 'contract').spec.template.metadata.annotations
    expect(annotationsOf({})).toBeUndefined()
    expect(annotationsOf({ secretsVersion: '8' })).toEqual({ 'paraph/secrets-version': '8' })
  })
})

describe('permissions', () => {
  const pods = podsOf(everything)

  it.each(pods.map((pod) => [pod.of, pod] as const))('of %s meet the restricted standard [H18]', (_, pod) => {
    expect(pod.spec.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(pod.container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
    expect(pod.spec.volumes.find(({ name }) => name === 'tmp')).toHaveProperty('emptyDir')
  })

  it.each(pods.map((pod) => [pod.of, pod] as const))('of %s exclude a Kubernetes API token [H19]', (_, pod) => {
    expect(pod.spec.automountServiceAccountToken).toBe(false)
    expect(pod.spec.serviceAccountName).toBe(pod.component === 'test' ? 'default' : `paraph-${pod.component}`)
  })

  it('include one account per component and no role [H19]', () => {
    const accounts = ofKind(everything, 'ServiceAccount')
    expect(accounts.every((account) => account.automountServiceAccountToken === false)).toBe(true)
    const used = new Set(pods.map(({ spec }) => spec.serviceAccountName).filter((name) => name !== 'default'))
    expect(new Set(accounts.map(({ metadata }) => metadata.name))).toEqual(used)
    expect(everything.filter(({ apiVersion }) => apiVersion.startsWith('rbac'))).toEqual([])
  })

  it.each(pods.map((pod) => [pod.of, pod] as const))(
    'of %s allow only node as process 1: the pod sets arguments and no command [H14]',
    (_, pod) => {
      expect(pod.container.command).toBeUndefined()
      const programs = pod.container.args.filter((argument) => /^[^-].*\.m?js$/.test(argument))
      expect(programs).toHaveLength(1)
    },
  )

  it('exclude service links, whose variables the command line would read as settings [H14]', () => {
    for (const { of, spec } of pods) expectWithMessage(spec.enableServiceLinks, of).toBe(false)
  })
})

describe('a container', () => {
  it.each([...podsOf(everything), ...podsOf(render('kafka'))].map((pod) => [pod.of, pod] as const))(
    'of %s has an equal memory request and limit, no CPU limit, and a heap that leaves room for other memory [H22]',
    (_, pod) => {
      const { requests, limits } = pod.container.resources
      expect(limits).toEqual({ memory: requests['memory'] })
      expect(requests['cpu']).toMatch(/^\d+m$/)
      const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(limits['memory']!)!
      const mib = Number(amount) * (unit === 'Gi' ? 1024 : 1)
      const heap = Number(
        /^--max-old-space-size=(\d+) --max-semi-space-size=8$/.exec(environmentOf(pod).get('NODE_OPTIONS')!.value!)![1],
      )
      // The thread that creates PDFs has a heap of 256 MB of its own.
      expect(heap + (pod.component === 'signing' ? 256 : 0)).toBe(Math.floor(mib * 0.75))
    },
  )

  it('names the image by its tag, and by a digest if one is set [H29]', () => {
    for (const { container } of podsOf(defaults)) expect(container.image).toBe('images.example.com/paraph:2.0.0')
    for (const { container, spec } of podsOf(everything)) {
      expect(container.image).toMatch(/^images\.example\.com\/paraph:2\.0\.0@sha256:[0-9a-f]{64}$/)
      expect(spec.imagePullSecrets).toEqual([{ name: 'images' }])
    }
  })

  it('trusts one proxy if the chart renders a route, and another number only if it is set [D9]', () => {
    const hops = (ci: string, values?: Values) => settingOf('gateway', 'TRUSTED_PROXY_HOPS', values, ci)
    expect([hops('default'), hops('everything-on'), hops('kafka')]).toEqual(['0', '1', '1'])
    expect(hops('default', { components: { gateway: { settings: { TRUSTED_PROXY_HOPS: 2 } } } })).toBe('2')
  })
})

describe('telemetry', () => {
  const register = '--import=@paraph/telemetry/register'
  const program = 'services/signing/dist/main.js'
  const argsOf = (values: Values) => podOf(render('default', values), 'signing').container.args
  const otelOf = (values: Values, ci = 'default') =>
    Object.fromEntries(
      podOf(render(ci, values), 'signing').container.env.flatMap(({ name, value }) =>
        name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
      ),
    )

  it('is loaded only if enabled [H31, D51]', () => {
    const off = { telemetry: { metrics: { enabled: false } } }
    expect(argsOf(off)).toEqual([program])
    expect(otelOf(off)).toEqual({})
    expect(argsOf({})).toEqual([register, program])
  })

  it('serves metrics for scraping and exports traces to a collector, each by its own switch [H31]', () => {
    const endpoint = 'http://collector:4318'
    expect(otelOf({})).toMatchObject({ OTEL_METRICS_EXPORTER: 'prometheus', OTEL_TRACES_EXPORTER: 'none' })
    const traced = otelOf({ telemetry: { otlp: { endpoint } } })
    expect(traced).toMatchObject({ OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    expect(traced).not.toHaveProperty('OTEL_TRACES_EXPORTER')
    // One trace in ten by default: a contract is some 950 spans.
    expect(traced).toMatchObject({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' })
    const everySpan = otelOf({}, 'everything-on')
    expect(everySpan).toMatchObject({
      OTEL_METRICS_EXPORTER: 'otlp,prometheus',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    })
    expect(everySpan).not.toHaveProperty('OTEL_TRACES_SAMPLER_ARG')
    const tracesAlone = { telemetry: { metrics: { enabled: false }, otlp: { endpoint } } }
    expect(otelOf(tracesAlone)).toMatchObject({ OTEL_METRICS_EXPORTER: 'none' })
    expect(argsOf(tracesAlone)).toEqual([register, program])
  })

  it('has attributes for component, version and location [H31]', () => {
    for (const component of COMPONENTS) {
      const environment = environmentOf(podOf(everything, component))
      const path = environment.get('OTEL_SERVICE_NAME')!.valueFrom!.fieldRef!.fieldPath
      expect(path).toBe("metadata.labels['app.kubernetes.io/component']")
      const attributes = environment.get('OTEL_RESOURCE_ATTRIBUTES')!.value!.split(',')
      expect(attributes).toEqual([
        'service.namespace=paraph',
        'service.version=2.0.0',
        'k8s.namespace.name=signing',
        'k8s.node.name=$(K8S_NODE_NAME)',
        'k8s.pod.name=$(K8S_POD_NAME)',
        'k8s.pod.uid=$(K8S_POD_UID)',
        'deployment.environment.name=production',
      ])
      // Kubernetes expands $() only for variables that are defined earlier.
      const names = [...environment.keys()]
      for (const [, name] of attributes.join().matchAll(/\$\((\w+)\)/g))
        expect(names.indexOf(name!)).toBeLessThan(names.indexOf('OTEL_RESOURCE_ATTRIBUTES'))
    }
  })

  it('is scraped only from the internal ports of the four services [H24]', () => {
    expect(ofKind(defaults, 'PodMonitor')).toEqual([])
    const [monitor] = ofKind(everything, 'PodMonitor')
    expect(monitor!.metadata.labels).toMatchObject({ release: 'prometheus' })
    expect(monitor!.spec.podMetricsEndpoints).toEqual([{ port: 'internal', path: '/metrics', interval: '30s' }])
    expect(monitor!.spec.selector.matchExpressions[0].values).toEqual([...COMPONENTS])
  })
})

describe('the route to the gateway', () => {
  it.each(['everything-on', 'kafka'])(
    'of %s targets only the gateway’s public port, under the public host names [H20]',
    (ci) => {
      const manifests = render(ci)
      const routes = [...ofKind(manifests, 'Ingress'), ...ofKind(manifests, 'HTTPRoute')]
      expect(routes).toHaveLength(1)
      const [{ spec }] = routes as [(typeof routes)[0]]
      if (ci === 'kafka') {
        expect(spec.hostnames).toEqual(['sign.example.com'])
        const [rule] = spec.rules as [{ filters: { type: string }[] }]
        expect(spec.rules).toHaveLength(1)
        expect(rule).toMatchObject({ backendRefs: [{ name: 'paraph-gateway', port: 8080 }] })
        expect(rule.filters.map(({ type }) => type)).toEqual(['ResponseHeaderModifier'])
      } else {
        expect(spec.rules.map(({ host }: { host: string }) => host)).toEqual(['sign.example.com', 's.example.com'])
        for (const { http } of spec.rules)
          expect(http.paths[0].backend.service).toEqual({ name: 'paraph-gateway', port: { name: 'http' } })
      }
      const ports = findFor(manifests, 'Service', 'gateway').spec.ports as { targetPort: string }[]
      expectWithMessage(
        ports.map(({ targetPort }) => targetPort),
        'the internal port is in no Service',
      ).toEqual(['http'])
    },
  )

  it('waits for longer than a long poll and a slow body, unless the values say otherwise [D22]', () => {
    const timeoutsOf = (httpRoute: Values) =>
      ofKind(render('kafka', { httpRoute }), 'HTTPRoute')[0]!.spec.rules[0].timeouts as unknown
    expect(timeoutsOf({})).toEqual({ request: '75s', backendRequest: '75s' })
    expect(timeoutsOf({ timeouts: { request: '2m' } })).toEqual({ request: '2m', backendRequest: '75s' })
    expect(timeoutsOf({ timeouts: null })).toBeUndefined()
  })
})
