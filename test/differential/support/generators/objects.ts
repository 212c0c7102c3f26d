import type { JsonObject } from "@weir/base";
import { fc } from "@weir/testing/property";
import { image, pinnedImage, tag, unreadableImage } from "./images.ts";
import { tagFilter } from "./policies.ts";

/** A workload as somebody writes it: a Deployment with its like, or a HelmRelease. */
export type WorkloadObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly namespace: string; readonly name: string };
};

const names = ["main", "side", "init"] as const;

/** Images that pods may be made of; the last few are none that Flux can read. */
const podImage = fc.oneof({ arbitrary: image, weight: 8 }, pinnedImage, unreadableImage);

const flag = fc.constantFrom("true", "false", "sync_only");

/** Annotations by which Flux goes, each policy under one prefix at the most. */
const annotations = fc
  .record(
    {
      automated: flag,
      locked: flag,
      locked_user: fc.constant("Ann <a@b.test>"),
      "tag.main": tagFilter,
      "tag.side": tagFilter,
    },
    { requiredKeys: [] },
  )
  .chain((policies) =>
    fc
      .tuple(...Object.entries(policies).map(([name, value]) => prefixed(name, value)))
      .map((all) => Object.fromEntries(all)),
  );

const metadata = fc.record(
  {
    annotations: fc
      .tuple(
        annotations,
        fc.constantFrom({}, {}, { "helm.fluxcd.io/antecedent": "ns:helmrelease/parent" }, { other: "x" }),
      )
      .map(([policies, others]) => ({ ...policies, ...others })),
    labels: fc.constantFrom({ app: "a" }, { app: "a", tier: "b" }),
  },
  { requiredKeys: ["annotations"] },
);

const containers = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 })
  .chain((some) => fc.tuple(...some.map((name) => podImage.map((text) => ({ name, image: text })))));

const podTemplate = fc
  .tuple(containers, fc.option(podImage.map((text) => [{ name: "setup", image: text }])))
  .map(([main, init]) => ({
    metadata: { labels: { app: "a" } },
    spec: { restartPolicy: "Always", containers: main, ...(init === null ? {} : { initContainers: init }) },
  }));

const values = fc.dictionary(
  fc.constantFrom("web", "db", "other"),
  fc.oneof(
    fc.record<JsonObject>({ image }),
    fc.record<JsonObject>({ image: pinnedImage }),
    fc.record<JsonObject>({ image: fc.constant("example.test/app"), tag }),
    fc.record<JsonObject>({ image: fc.constant("app"), registry: fc.constant("example.test"), tag }),
    fc.record<JsonObject>({
      image: fc.record<JsonObject>({ repository: fc.constant("example.test/app"), tag }),
    }),
    fc.constantFrom<JsonObject>(
      { image: "a:b:c" },
      { tag: "1" },
      { image: "app", tag: 1 },
      { image: { tag: "1" } },
    ),
  ),
);

/** A workload of that name, of any kind. */
export function workloadObject(name: string): fc.Arbitrary<WorkloadObject> {
  const selector = { matchLabels: { app: "a" } };
  const pods = (kind: string, more: JsonObject = {}): fc.Arbitrary<WorkloadObject> =>
    fc.tuple(metadata, podTemplate).map(([about, template]) => ({
      apiVersion: "apps/v1",
      kind,
      metadata: { namespace: "default", name, ...about },
      spec: { selector, template, ...more },
    }));
  const cronJob = fc.tuple(metadata, podTemplate).map(([about, template]) => ({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { namespace: "default", name, ...about },
    spec: {
      schedule: "* * * * *",
      jobTemplate: {
        spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
      },
    },
  }));
  const helmRelease = fc.tuple(metadata, values).map(([about, set]) => ({
    apiVersion: "helm.fluxcd.io/v1",
    kind: "HelmRelease",
    metadata: { namespace: "default", name, ...about },
    spec: { chart: { name: "c" }, values: set },
  }));
  return fc.oneof(
    pods("Deployment"),
    pods("StatefulSet", { serviceName: "s" }),
    pods("DaemonSet"),
    cronJob,
    helmRelease,
  );
}

function prefixed(policy: string, value: string): fc.Arbitrary<readonly [key: string, value: string]> {
  const container = policy.startsWith("tag.") ? [`filter.fluxcd.io/${policy.slice("tag.".length)}`] : [];
  return fc
    .constantFrom(`fluxcd.io/${policy}`, `flux.weave.works/${policy}`, ...container)
    .map((key) => [key, value] as const);
}
