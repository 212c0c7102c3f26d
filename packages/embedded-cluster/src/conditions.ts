import { equalNodes, stringAt, type Tree, type TreeNode, treesAt } from "./tree.ts";

/** A condition of a status, its times aside. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of that type, as a status has it. */
export function conditionOf(status: Tree | undefined, type: string): Tree | undefined {
  return treesAt(status, "conditions").find((condition) => stringAt(condition, "type") === type);
}

/** True where a status says so. */
export function isCondition(status: Tree | undefined, type: string): boolean {
  return stringAt(conditionOf(status, type), "status") === "True";
}

/** Conditions with more fields, which change only together with the rest. */
export function withFields(
  conditions: readonly Condition[],
  fields: Readonly<Record<string, TreeNode>>,
): readonly Condition[] {
  return conditions.map((condition) => ({ ...fields, ...condition }));
}

/**
 * Sets conditions of a status, with whatever other fields they have. Where the word of a condition stays, so does the time
 * of its transition.
 */
export function setConditions(status: Tree, now: string, conditions: readonly Condition[]): void {
  const list = treesAt(status, "conditions");
  for (const condition of conditions) {
    const at = list.findIndex((other) => stringAt(other, "type") === condition.type);
    const before = list[at];
    const isSame = before !== undefined && stringAt(before, "status") === condition.status;
    const since = isSame ? (before["lastTransitionTime"] ?? now) : now;
    const next: Tree = { ...condition, lastTransitionTime: since };
    if (before === undefined) {
      list.push(next);
    } else if (!says(before, condition)) {
      list[at] = next;
    }
  }
  status["conditions"] = list;
}

function says(condition: Tree, wanted: Condition): boolean {
  return ["status", "reason", "message"].every((field) =>
    equalNodes(stringAt(condition, field), stringAt({ ...wanted }, field)),
  );
}
