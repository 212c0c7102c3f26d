import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { WorkloadObject } from "../generators/objects.ts";
import { printRef, readRef } from "./image-ref.ts";
import { readId } from "./resource-id.ts";
import { type ModelPolicies, type ModelRunning, readContainers } from "./world.ts";

/** The ID of an object. */
export function idOf({ kind, metadata: { namespace, name } }: WorkloadObject): string {
  return `${namespace}:${kind.toLowerCase()}/${name}`;
}

/** The policies of a manifest, under any of three prefixes. pkg/cluster/kubernetes/resource/resource.go. */
export function policiesInGit(object: WorkloadObject): ModelPolicies {
  return Object.fromEntries(
    annotationsOf(object).flatMap(([key, value]) => {
      const name = afterPrefix(key, "fluxcd.io/") ?? afterPrefix(key, "flux.weave.works/");
      const container = afterPrefix(key, "filter.fluxcd.io/");
      const policy = name ?? (container === undefined ? undefined : `tag.${container}`);
      return policy === undefined ? [] : [[policy, value] as const];
    }),
  );
}

/** A live workload; its policies count under the newer prefix only. */
export function runningOf(object: WorkloadObject): ModelRunning {
  const policies = annotationsOf(object).flatMap(([key, value]) => {
    const policy = afterPrefix(key, "fluxcd.io/");
    return policy === undefined ? [] : [[policy, value] as const];
  });
  const read =
    object.kind === "HelmRelease"
      ? readContainers(imagesOfRelease(at(object, "spec", "values")), [])
      : readContainers(imagesIn(podOf(object), "containers"), imagesIn(podOf(object), "initContainers"));
  return { ...read, policies: Object.fromEntries(policies) };
}

/** The workload that made this one. */
export function antecedentOf(object: WorkloadObject): string {
  const [, text = ""] = annotationsOf(object).find(([key]) => key === "helm.fluxcd.io/antecedent") ?? [];
  return readId(text) ?? "";
}

type NamedImages = readonly (readonly [name: string, image: string])[];

function podOf({ kind, ...object }: WorkloadObject): JsonValue {
  const job = kind === "CronJob" ? (["spec", "jobTemplate"] as const) : [];
  return at(object, ...job, "spec", "template", "spec");
}

function imagesIn(pod: JsonValue, field: string): NamedImages {
  const list = at(pod, field);
  return isJsonArray(list) ? list.map((one) => [textAt(one, "name"), textAt(one, "image")]) : [];
}

/**
 * The images that stand in the values of a chart, one key deep, by key; what cannot be read is none. They go through
 * their text once more, in which a digest hides the tag. pkg/cluster/kubernetes/resource/helmrelease.go.
 */
function imagesOfRelease(values: JsonValue): NamedImages {
  const members = isJsonObject(values) ? Object.entries(values) : [];
  const found = members.flatMap(([key, value]) => {
    const image = at(value ?? null, "image");
    const parts = isJsonObject(image) ? image : value;
    const repository = isJsonObject(image) ? at(image, "repository") : image;
    if (typeof repository !== "string") {
      return [];
    }
    const [registry, tag] = [at(parts ?? null, "registry"), at(parts ?? null, "tag")];
    const host = typeof registry === "string" ? `${registry}/` : "";
    const { ok, ...ref } = readRef(`${host}${repository}${typeof tag === "string" ? `:${tag}` : ""}`);
    return ok ? [[key, printRef(ref)] as const] : [];
  });
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function annotationsOf({ metadata }: WorkloadObject): readonly (readonly [key: string, value: string])[] {
  const annotations = at(metadata, "annotations");
  return isJsonObject(annotations)
    ? Object.keys(annotations).map((key) => [key, textAt(annotations, key)] as const)
    : [];
}

function afterPrefix(key: string, prefix: string): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

function textAt(value: JsonValue, key: string): string {
  const text = at(value, key);
  return typeof text === "string" ? text : "";
}

function at(value: JsonValue | JsonObject, ...keys: readonly string[]): JsonValue {
  return keys.reduce<JsonValue>((found, key) => (isJsonObject(found) ? (found[key] ?? null) : null), value);
}
