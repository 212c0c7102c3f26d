import { gvkOf } from "@weir/kube";
import type { KindInUse } from "./rights.ts";
import type { TargetSet } from "./target-set.ts";

/** The kinds of the objects in git, each once per namespace. */
export function kindsInUse({ targets }: Pick<TargetSet, "targets">): readonly KindInUse[] {
  const kinds = new Map<string, KindInUse>();
  for (const { object } of targets) {
    const { namespace = "" } = object.metadata;
    const name = `${object.apiVersion}/${object.kind}/${namespace}`;
    if (!kinds.has(name)) {
      kinds.set(name, { ...gvkOf(object), namespace });
    }
  }
  return [...kinds.values()];
}
