import { controllerReference } from "../../controllers/owned.ts";
import { cloneNode, stringAt, type Tree, treeAt } from "../../tree.ts";

/** A pod as a controller makes it from its template: with a name of its own, or one made from `name` and a dash. */
export function podFromTemplate(owner: Tree, template: Tree, name?: string): Tree {
  const { labels, annotations, finalizers } = treeAt(template, "metadata") ?? {};
  return cloneNode<Tree>({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(name === undefined ? { generateName: `${stringAt(owner, "metadata", "name")}-` } : { name }),
      namespace: stringAt(owner, "metadata", "namespace"),
      labels: labels ?? {},
      annotations: annotations ?? {},
      finalizers: finalizers ?? [],
      ownerReferences: [controllerReference(owner)],
    },
    spec: treeAt(template, "spec") ?? {},
  });
}
