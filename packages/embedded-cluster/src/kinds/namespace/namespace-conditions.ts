import type { Condition } from "../../conditions.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** What the status of a namespace says while it waits for its content to go. */
export function deletionConditions(left: readonly StoredObject[]): readonly Condition[] {
  const finalizers = left.flatMap((object) => object.finalizers);
  return [
    {
      type: "NamespaceDeletionDiscoveryFailure",
      status: "False",
      reason: "ResourcesDiscovered",
      message: "All resources successfully discovered",
    },
    {
      type: "NamespaceDeletionGroupVersionParsingFailure",
      status: "False",
      reason: "ParsedGroupVersions",
      message: "All legacy kube types successfully parsed",
    },
    {
      type: "NamespaceDeletionContentFailure",
      status: "False",
      reason: "ContentDeleted",
      message: "All content successfully deleted, may be waiting on finalization",
    },
    {
      type: "NamespaceContentRemaining",
      status: "True",
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${counted(
        left.map(({ bucket }) => (bucket.includes(".") ? bucket : `${bucket}.`)),
        (bucket, count) => `${bucket} has ${count} resource instances`,
      )}`,
    },
    finalizers.length === 0
      ? {
          type: "NamespaceFinalizersRemaining",
          status: "False",
          reason: "ContentHasNoFinalizers",
          message: "All content-preserving finalizers finished",
        }
      : {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${counted(
            finalizers,
            (name, count) => `${name} in ${count} resource instances`,
          )}`,
        },
  ];
}

function counted(names: readonly string[], print: (name: string, count: number) => string): string {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups]
    .map(([name, all]) => print(name, all.length))
    .sort()
    .join(", ");
}
