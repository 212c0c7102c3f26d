import { type JsonValue, messageOf } from "@weir/base";
import { at, inOneLine } from "@weir/demo";
import {
  type Cause,
  containerOfTagPolicy,
  decodeUpdateResult,
  decodeUpdateSpec,
  type ImageRef,
  type PolicyUpdate,
  printImageRef,
  type UpdateResult,
  type UpdateSpec,
} from "@weir/flux";

/** A commit by fluxd: who asked for what. */
export interface Change {
  readonly text: string;
  /** True if nobody asked for it, but fluxd's automation did it. */
  readonly isAutomatic: boolean;
}

/**
 * Reads what fluxd committed, and for whom, from the metadata of an event. Undefined if it's of a kind that isn't
 * known here.
 */
export function readChange(metadata: JsonValue): Change | undefined {
  try {
    const spec = decodeUpdateSpec(at(metadata, "spec") ?? null);
    const result = decodeUpdateResult(at(metadata, "result") ?? {});
    return { text: inOneLine(describe(spec, result)), isAutomatic: spec.type === "auto" };
  } catch (error) {
    // Later versions have other changes; the event's own message tells of them.
    void messageOf(error);
    return undefined;
  }
}

function describe(spec: UpdateSpec, result: UpdateResult): string {
  switch (spec.type) {
    case "policy":
      return `${whoOf(spec.cause)} ${policyChanges(spec.spec ?? new Map())}${because(spec.cause)}`;
    case "image":
    case "containers":
      return `${whoOf(spec.cause)} released ${imageChanges(result)}${because(spec.cause)}`;
    case "auto":
      return `fluxd released ${imageChanges(result)} by itself`;
    case "sync":
      return `${whoOf(spec.cause)} asked for a sync`;
  }
}

/** "Name <email>" without the address. */
function whoOf({ user }: Cause): string {
  const name = user.replace(/ *<[^>]*>$/, "");
  return name === "" ? "Somebody" : name;
}

function because({ message }: Cause): string {
  return message === "" ? "" : `: ${message}`;
}

function policyChanges(updates: ReadonlyMap<string, PolicyUpdate>): string {
  const texts = [...updates].flatMap(([id, { add, remove }]) => [
    ...Object.entries(add ?? {}).flatMap(([policy, value]) => added(policy, value, id)),
    ...Object.keys(remove ?? {}).flatMap((policy) => removed(policy, id)),
  ]);
  return texts.length === 0 ? "made a change" : texts.join(", ");
}

/** Who locked it, and why, is part of the request, and told with it. */
const remarks = ["locked_user", "locked_msg"];

function added(policy: string, value: string, id: string): readonly string[] {
  if (remarks.includes(policy)) {
    return [];
  }
  const container = containerOfTagPolicy(policy);
  if (container !== undefined) {
    return [`set the tag filter of ${id} to ${value} for ${container}`];
  }
  return [{ automated: "automated", locked: "locked" }[policy] ?? `set ${policy} of`].map(
    (verb) => `${verb} ${id}`,
  );
}

function removed(policy: string, id: string): readonly string[] {
  if (remarks.includes(policy)) {
    return [];
  }
  return [{ automated: "deautomated", locked: "unlocked" }[policy] ?? `removed ${policy} from`].map(
    (verb) => `${verb} ${id}`,
  );
}

/** E.g. "cart 3.1.0 → 3.2.0 in shop:deployment/cart". */
function imageChanges(result: UpdateResult): string {
  const texts = [...result].flatMap(([id, { status, containers }]) =>
    status === "success"
      ? (containers ?? []).map(({ current, target }) => `${imageChange(current, target)} in ${id}`)
      : [],
  );
  return texts.length === 0 ? "no images" : texts.join(", ");
}

function imageChange(current: ImageRef | undefined, target: ImageRef): string {
  const name = target.image.slice(target.image.lastIndexOf("/") + 1);
  const isSame = current?.domain === target.domain && current.image === target.image;
  return isSame ? `${name} ${current.tag} → ${target.tag}` : printImageRef(target);
}
