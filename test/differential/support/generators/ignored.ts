import type { JsonObject } from "@weir/base";

/** An object that git has, and of which something else is live already. */
export interface IgnoredObject {
  /** What it is, for the name of a test. */
  readonly title: string;
  readonly kind: string;
  readonly name: string;
  readonly collection: string;
  /** The annotations that speak of ignoring, in git and live. */
  readonly git: Annotations;
  readonly cluster: Annotations;
  readonly isOwned: boolean;
  readonly inGit: JsonObject;
  readonly live: JsonObject;
}

type Annotations = Readonly<Record<string, string>>;

const kinds = ["ConfigMap", "Secret", "Endpoints"];

const annotations: readonly Annotations[] = [
  {},
  { "fluxcd.io/ignore": "true" },
  { "fluxcd.io/ignore": "sync_only" },
  { "fluxcd.io/ignore": "false" },
  { "flux.weave.works/ignore": "true" },
];

/** Every kind with every annotation, in git and live, with an owner and without. */
export function ignoredObjects(): readonly IgnoredObject[] {
  const combinations = kinds.flatMap((kind) =>
    [false, true].flatMap((isOwned) =>
      annotations.flatMap((git) => annotations.map((cluster) => ({ kind, isOwned, git, cluster }))),
    ),
  );
  return combinations.map((combination, index) => {
    const { kind, isOwned, git, cluster } = combination;
    const name = `x${index}`;
    const about = { name, namespace: "default" };
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "no-such-owner" }];
    return {
      ...combination,
      title: `${kind}${isOwned ? " with an owner" : ""}`,
      name,
      collection: `/api/v1/namespaces/default/${kind.toLowerCase()}${kind === "Endpoints" ? "" : "s"}`,
      inGit: { apiVersion: "v1", kind, metadata: { ...about, labels: { from: "git" }, annotations: git } },
      live: {
        apiVersion: "v1",
        kind,
        metadata: { ...about, annotations: cluster, ...(isOwned ? { ownerReferences } : {}) },
      },
    };
  });
}
