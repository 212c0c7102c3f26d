import type { Cause, PolicySet, PolicyUpdate, ResourceId } from "@weir/flux";

const verbs = ["Automated", "Deautomated", "Locked", "Unlocked", "Updated policies"] as const;
type Verb = (typeof verbs)[number];

/**
 * The message for a commit that changes policies: the message of its cause, then a line for each type of change with
 * its workloads. Same as in Flux v1, except that lines are sorted.
 */
export function policyCommitMessage(updates: ReadonlyMap<ResourceId, PolicyUpdate>, cause: Cause): string {
  const lines = changeLines(updates);
  if (cause.message !== "") {
    return `${cause.message}\n\n${listOf(lines)}`;
  }
  if (lines.length > 1) {
    return `Updated workload policies\n\n${listOf(lines)}`;
  }
  return lines.map((line) => `${line}\n`).join("");
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join("");
}

function changeLines(updates: ReadonlyMap<ResourceId, PolicyUpdate>): readonly string[] {
  return verbs.flatMap((verb) => {
    const ids = [...updates].filter(([, update]) => verbsOf(update).has(verb)).map(([id]) => id);
    return ids.length === 0 ? [] : [`${verb}: ${ids.toSorted().join(", ")}`];
  });
}

function verbsOf(update: PolicyUpdate): ReadonlySet<Verb> {
  return new Set([
    ...verbsOfSet(update.add, "Automated", "Locked"),
    ...verbsOfSet(update.remove, "Deautomated", "Unlocked"),
  ]);
}

function verbsOfSet(set: PolicySet | null, automated: Verb, locked: Verb): readonly Verb[] {
  return Object.keys(set ?? {}).map((policy) =>
    policy === "automated" ? automated : policy === "locked" ? locked : "Updated policies",
  );
}
