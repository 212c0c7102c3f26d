import { quoteGo } from "@weir/base";
import {
  type FluxEvent,
  type PolicySet,
  type PolicyUpdate,
  printEvent,
  type ResourceId,
  type UpdateSpec,
} from "@weir/flux";

/**
 * An event on one line for people who ask what happened: as Flux v1 logs it, and for a commit also what it changed
 * besides images, who asked for it, and why.
 */
export function describeEvent(event: FluxEvent): string {
  const { detail } = event;
  const line = printEvent(event);
  return detail.type === "commit" && detail.spec !== null ? `${line}${describeSpec(detail.spec)}` : line;
}

function describeSpec(spec: UpdateSpec): string {
  const { user, message } = spec.cause;
  const policies = spec.type === "policy" && spec.spec !== null ? describePolicies(spec.spec) : "";
  return [
    policies === "" ? "" : `: ${policies}`,
    user === "" ? "" : `, by ${user}`,
    message === "" ? "" : `, with message ${quoteGo(message)}`,
  ].join("");
}

/** E.g. "locked", "automated, set tag.main=glob:1.*"; for several workloads, with their names. */
function describePolicies(updates: ReadonlyMap<ResourceId, PolicyUpdate>): string {
  return [...updates]
    .map(([id, update]) => {
      const changes = describeUpdate(update).join(", ");
      return updates.size === 1 ? changes : `${id} ${changes}`;
    })
    .toSorted()
    .join("; ");
}

function describeUpdate({ add, remove }: PolicyUpdate): readonly string[] {
  return [...phrasesOf(add, added), ...phrasesOf(remove, removed)];
}

function phrasesOf(
  set: PolicySet | null,
  phrase: (name: string, value: string) => string,
): readonly string[] {
  return Object.entries(set ?? {})
    .filter(([name]) => !details.includes(name))
    .map(([name, value]) => phrase(name, value));
}

/** Who locked a workload and why: the cause of the commit says so, too. */
const details: readonly string[] = ["locked_user", "locked_msg"];

/** Policies that are on or off, with the words for both. */
const switches: ReadonlyMap<string, readonly [on: string, off: string]> = new Map([
  ["automated", ["automated", "deautomated"]],
  ["locked", ["locked", "unlocked"]],
  ["ignore", ["ignored", "no longer ignored"]],
]);

function added(name: string, value: string): string {
  return switches.get(name)?.[0] ?? `set ${name}=${value}`;
}

function removed(name: string): string {
  return switches.get(name)?.[1] ?? `removed ${name}`;
}
