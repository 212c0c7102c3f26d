import { isJsonObject, type JsonObject } from "@weir/base";
import { annotationOf, type KubeObject, labelOf } from "@weir/kube";
import { ownerLabel } from "../engine-rig.ts";

/** The kinds in a story of faults. */
export type ThingKind = "ConfigMap" | "Secret" | "Deployment";

/** An object that a revision wants, in as few words as a story needs. */
export interface Thing {
  readonly kind: ThingKind;
  readonly name: string;
  /** The data, or of a Deployment the environment of its container. */
  readonly values: Readonly<Record<string, string>>;
  readonly wave: number;
  /** Words for the sync-options annotation, such as Replace=true. */
  readonly options: readonly string[];
}

/** A pod that runs at a point of each sync that changes something. */
export interface Hook {
  readonly name: string;
  readonly phase: "PreSync" | "Sync" | "PostSync";
  readonly policy: "BeforeHookCreation" | "HookSucceeded";
  /** How many of its pods fail before one succeeds. */
  readonly fails: number;
}

/** The owner of everything that the engine may touch. */
export const ourOwner = "us";
/** The label of all objects of the stories. */
export const storyLabel = "example.test/story";

/** The path of the objects of a kind. */
export function pathOf(kind: ThingKind | "Pod", namespace: string, name = ""): string {
  const base = kind === "Deployment" ? "/apis/apps/v1" : "/api/v1";
  return `${base}/namespaces/${namespace}/${kind.toLowerCase()}s${name === "" ? "" : `/${name}`}`;
}

/** A thing as an object; with an owner, it carries the owner's label. */
export function objectOf(thing: Thing, namespace: string, owner?: string): KubeObject {
  const { kind, name, values, wave, options } = thing;
  const metadata = {
    name,
    namespace,
    labels: { [storyLabel]: "yes", ...(owner === undefined ? {} : { [ownerLabel]: owner }) },
    annotations: {
      ...(wave === 0 ? {} : { "weir.dev/sync-wave": String(wave) }),
      ...(options.length === 0 ? {} : { "weir.dev/sync-options": options.join(",") }),
    },
  };
  switch (kind) {
    case "ConfigMap":
      return { apiVersion: "v1", kind, metadata, data: values };
    case "Secret":
      return { apiVersion: "v1", kind, metadata, type: "Opaque", data: encoded(values) };
    case "Deployment":
      return { apiVersion: "apps/v1", kind, metadata, spec: deploymentSpec(name, values) };
  }
}

/** A hook as an object. */
export function hookObject(
  { name, phase, policy, fails }: Hook,
  namespace: string,
  revision: string,
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: { [storyLabel]: "yes", [ownerLabel]: ourOwner },
      annotations: {
        "argocd.argoproj.io/hook": phase,
        "argocd.argoproj.io/hook-delete-policy": policy,
        "example.test/fails": String(fails),
      },
    },
    spec: {
      restartPolicy: "Never",
      containers: [{ name: "main", image: "example.test/migrate:1", args: [revision] }],
    },
  };
}

/** In what a live object differs from what was wanted; undefined if in nothing. */
export function differenceOf(thing: Thing, live: KubeObject | undefined): string | undefined {
  const what = `${thing.kind} ${thing.name}`;
  if (live === undefined) {
    return `${what} is missing`;
  }
  if (labelOf(live, ownerLabel) !== ourOwner) {
    return `${what} has lost its label`;
  }
  if (annotationOf(live, "weir.dev/sync-options") !== (thing.options.join(",") || undefined)) {
    return `${what} has other sync options`;
  }
  const [wanted, found] = [thing.values, valuesOf(live)].map(printed);
  return wanted === found ? undefined : `${what} has ${found} instead of ${wanted}`;
}

/** What a live object of these kinds holds. */
export function valuesOf(live: KubeObject): Readonly<Record<string, string>> {
  switch (live.kind) {
    case "ConfigMap":
      return textsIn(live["data"]);
    case "Secret":
      return Object.fromEntries(
        Object.entries(textsIn(live["data"])).map(([key, value]) => [
          key,
          Buffer.from(value, "base64").toString(),
        ]),
      );
    default:
      return environmentOf(live);
  }
}

/** A merge patch that sets the value of a key. */
export function patchOf(thing: Thing, key: string, value: string): object {
  switch (thing.kind) {
    case "ConfigMap":
      return { data: { [key]: value } };
    case "Secret":
      return { data: encoded({ [key]: value }) };
    case "Deployment":
      return { spec: deploymentSpec(thing.name, { ...thing.values, [key]: value }) };
  }
}

function deploymentSpec(name: string, values: Thing["values"]): JsonObject {
  const env = Object.entries(values).map(([key, value]) => ({ name: key, value }));
  return {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "example.test/app:1", env }] },
    },
  };
}

interface PodTemplate {
  readonly spec: {
    readonly containers: readonly { readonly env?: readonly { name: string; value?: string }[] }[];
  };
}

function environmentOf({ spec }: KubeObject): Readonly<Record<string, string>> {
  const { template } = spec as unknown as { readonly template: PodTemplate };
  const env = template.spec.containers[0]?.env ?? [];
  return Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
}

function encoded(values: Thing["values"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  return isJsonObject(value) ? (value as Readonly<Record<string, string>>) : {};
}

function printed(values: Thing["values"]): string {
  return JSON.stringify(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
}
