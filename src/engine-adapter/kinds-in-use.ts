import { gvkOf } from "@weir/kube";
import type { KindInUse } from "./rights.ts";
import type { TargetSet } from "./target-set.ts";

/** The kinds of the objects in git, each once per namespace. */
export function kindsInUse({ targets }: Pick<TargetSet, "targets">): readonly KindInUse[] {
  const kinds = targets.map(({ object }) => ({
    ...gvkOf(object),
    namespace: object.metadata.namespace ?? "",
  }));
  return [...new Map(kinds.map((each) => [Object.values(each).join("/"), each])).values()];
}
