import type { StatusCause } from "@weir/kube";
import { quote } from "../field-errors.ts";
import type { ManagerEntry } from "./managers.ts";
import type { Conflict } from "./ownership.ts";
import { printPath } from "./path-element.ts";

/** The message of a refused apply, as the API server words it. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${printEntry(only.entry)}: ${printPath(only.path)}`;
  }
  const byManager = new Map<string, string[]>();
  for (const { entry, path } of conflicts) {
    const name = printEntry(entry);
    byManager.set(name, [...(byManager.get(name) ?? []), `- ${printPath(path)}`]);
  }
  const lines = [...byManager]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, paths]) => [`conflicts with ${name}:`, ...paths]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

/** The conflicts as causes of a Status. */
export function conflictCauses(conflicts: readonly Conflict[]): readonly StatusCause[] {
  return conflicts.map(({ entry, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${printEntry(entry)}`,
    field: printPath(path),
  }));
}

function printEntry({ manager, subresource, operation, apiVersion }: ManagerEntry): string {
  const name =
    subresource === "" ? quote(manager) : `${quote(manager)} with subresource ${quote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
