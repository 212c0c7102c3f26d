/**
 * Explains refusals of dry runs that only come from what the plan itself still has to create: its namespaces, its
 * kinds, and other objects that its objects refer to. Nothing is known about such a task before the sync.
 */
import { gvkOf, type KubeObject } from "@weir/kube";
import { objectOf, objectsOf, textOf } from "../health/fields.ts";
import { isPluralOf } from "../plan/contents.ts";
import { isDeletion, type SyncTask } from "../plan/task.ts";

/** What became of a dry run that the server refused. */
export type Refusal =
  | { readonly kind: "refused"; readonly error: string }
  /** It couldn't be checked, because of `reason`. */
  | { readonly kind: "unchecked"; readonly reason: string };

/** Judges refusals of the tasks of one plan. */
export class RefusalJudge {
  /** What the plan may create, by name. */
  readonly #coming = new Map<string, KubeObject[]>();
  readonly #definitions: readonly KubeObject[];

  constructor(tasks: Iterable<SyncTask>) {
    const definitions: KubeObject[] = [];
    for (const task of tasks) {
      if (!isDeletion(task)) {
        const { target } = task;
        const { name = "" } = target.metadata;
        this.#coming.set(name, [...(this.#coming.get(name) ?? []), target]);
        if (target.kind === "CustomResourceDefinition") {
          definitions.push(target);
        }
      }
    }
    this.#definitions = definitions;
  }

  /** Judges the refusal of a task, by kubectl's message. */
  judge(task: SyncTask, error: string): Refusal {
    if (error.includes("does not support dry run")) {
      return { kind: "unchecked", reason: "an admission webhook does not support dry runs" };
    }
    return this.#ofUnknownKind(task, error) ?? this.#ofMissing(error) ?? { kind: "refused", error };
  }

  /** Without the kind, only what the definition in the plan says about it can be checked. */
  #ofUnknownKind(task: SyncTask, error: string): Refusal | undefined {
    if (isDeletion(task) || !error.includes("no matches for kind")) {
      return undefined;
    }
    const { group, version, kind } = gvkOf(task.target);
    const definition = this.#definitions.find((each) => defines(each, group, kind));
    if (definition === undefined || !servesVersion(definition, version)) {
      return undefined;
    }
    const isCluster = textOf(objectOf(definition.spec)["scope"]) === "Cluster";
    if (isCluster && (task.target.metadata.namespace ?? "") !== "") {
      return {
        kind: "refused",
        error: `error: ${nameOf(definition)} defines a cluster-scoped kind, but the object has a namespace`,
      };
    }
    return uncheckedWithout(definition);
  }

  /** "namespaces "x" not found", and what admission says about other objects. */
  #ofMissing(error: string): Refusal | undefined {
    const found = [
      ...error.matchAll(/([\w.-]+) "([^"]+)" not found/g),
      ...error.matchAll(/\bno (\w+) with name (\S+) was found/g),
    ];
    for (const [, resource = "", name = ""] of found) {
      const plural = resource.split(".")[0]?.toLowerCase() ?? "";
      const coming = this.#coming.get(name)?.find(({ kind }) => isPluralOf(plural, kind.toLowerCase()));
      if (coming !== undefined) {
        return uncheckedWithout(coming);
      }
    }
    return undefined;
  }
}

function uncheckedWithout(object: KubeObject): Refusal {
  return { kind: "unchecked", reason: `the same sync creates ${nameOf(object)}` };
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}

function defines(definition: KubeObject, group: string, kind: string): boolean {
  const spec = objectOf(definition.spec);
  return textOf(spec["group"]) === group && textOf(objectOf(spec["names"])["kind"]) === kind;
}

function servesVersion(definition: KubeObject, version: string): boolean {
  return objectsOf(objectOf(definition.spec)["versions"]).some(
    (each) => textOf(each["name"]) === version && each["served"] === true,
  );
}
