import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import fc from "fast-check";

/**
 * Three objects of the same kind and name, as people write them, without nulls: the last-applied object, the
 * target, and the live object. They're small, so that they have much in common.
 */
export function triples(): fc.Arbitrary<readonly [KubeObject, KubeObject, KubeObject]> {
  const kinds = [deployment(), service(), serviceAccount(), budget(), configMap(), customResource()];
  return fc.oneof(...kinds.map((kind) => fc.tuple(kind, kind, kind)));
}

function deployment(): fc.Arbitrary<KubeObject> {
  const strategy = fc.constantFrom(
    { type: "Recreate" },
    { type: "RollingUpdate" },
    { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
  );
  const spec = fields({
    replicas: fc.integer({ min: 0, max: 2 }),
    strategy,
    selector: fields({ matchLabels: texts() }),
    template: fields({ metadata: fields({ labels: texts() }), spec: podSpec() }),
  });
  return object("apps/v1", "Deployment", { spec });
}

function podSpec(): fc.Arbitrary<JsonObject> {
  return fields({
    containers: keyed("name", ["main", "side", "proxy"], {
      image: fc.constantFrom("a:1", "a:2"),
      args: fc.array(fc.constantFrom("-v", "-q"), { maxLength: 2 }),
      env: keyed("name", ["A", "B"], { value: fc.constantFrom("1", "2") }),
      ports: keyed("containerPort", [80, 443], { protocol: fc.constantFrom("TCP", "UDP") }),
      resources: fields({ limits: fields({ cpu: fc.constantFrom("1", "2") }) }),
    }),
    volumes: fc
      .uniqueArray(
        fc.tuple(fc.constantFrom("data", "conf"), fc.constantFrom("emptyDir", "configMap", "secret")),
        { selector: ([name]) => name },
      )
      .map((volumes) => volumes.map(([name, source]) => ({ name, [source]: {} }))),
    tolerations: fc.array(fields({ key: fc.constantFrom("a", "b") }), { maxLength: 2 }),
  });
}

function service(): fc.Arbitrary<KubeObject> {
  const ports = keyed("port", [80, 443, 53], {
    name: fc.constantFrom("a", "b"),
    targetPort: fc.constant(8080),
  });
  return object("v1", "Service", {
    spec: fields({ ports, selector: texts(), type: fc.constant("ClusterIP") }),
  });
}

function serviceAccount(): fc.Arbitrary<KubeObject> {
  const secrets = keyed("name", ["s1", "s2", "s3"], {});
  return object("v1", "ServiceAccount", { secrets, imagePullSecrets: secrets });
}

function budget(): fc.Arbitrary<KubeObject> {
  const selector = fields({ matchLabels: texts() });
  const spec = fields({ selector, minAvailable: fc.integer({ min: 0, max: 2 }) });
  return object("policy/v1", "PodDisruptionBudget", { spec });
}

function configMap(): fc.Arbitrary<KubeObject> {
  return object("v1", "ConfigMap", { data: texts() });
}

function customResource(): fc.Arbitrary<KubeObject> {
  const values = fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 2 }).filter(hasNoNull));
  return object("example.com/v1", "Widget", {
    spec: values.map((value): unknown => JSON.parse(JSON.stringify(value))),
  });
}

function object(
  apiVersion: string,
  kind: string,
  body: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<KubeObject> {
  const metadata = fc.record(
    {
      name: fc.constant("thing"),
      namespace: fc.constant("default"),
      labels: texts(),
      annotations: texts(),
      finalizers: fc.uniqueArray(fc.constantFrom("a.io/x", "b.io/y", "c.io/z")),
    },
    { requiredKeys: ["name", "namespace"] },
  );
  return fc
    .tuple(metadata, fc.record(body, { requiredKeys: [] }))
    .map(([meta, rest]): KubeObject => structuredClone({ apiVersion, kind, metadata: meta, ...rest }));
}

/** A list of maps with distinct keys. */
function keyed(
  mergeKey: string,
  keys: readonly (string | number)[],
  others: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<readonly object[]> {
  const item = fc.tuple(fc.constantFrom(...keys), fields(others));
  return fc
    .uniqueArray(item, { selector: ([key]) => key })
    .map((items) => items.map(([key, rest]) => ({ [mergeKey]: key, ...rest })));
}

function fields(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

function texts(): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.dictionary(fc.constantFrom("app", "tier", "__proto__"), fc.constantFrom("x", "y"));
}

function hasNoNull(value: unknown): boolean {
  return !JSON.stringify(value).includes("null");
}
