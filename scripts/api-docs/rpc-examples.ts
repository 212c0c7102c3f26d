/** A call that the page shows: its method, its one argument, and what there is to know of it. */
export interface RpcExample {
  readonly method: string;
  readonly says: string;
  /** "{job}" and "{revision}" stand for what earlier answers told. */
  readonly argument: unknown;
}

const cause = { User: "you", Message: "try it" };

/** In this order: later ones ask for what earlier ones made. */
export const rpcExamples: readonly RpcExample[] = [
  { method: "Ping", says: "Is the daemon there?", argument: {} },
  { method: "Version", says: "The version of the daemon.", argument: {} },
  {
    method: "ListServices",
    says: "Workloads of a namespace, or of all for an empty one.",
    argument: "observe",
  },
  {
    method: "ListImagesWithOptions",
    says: "The images that there are for containers.",
    argument: { Spec: "shop:deployment/web", OverrideContainerFields: ["Name", "Current"], Namespace: "" },
  },
  { method: "ListImages", says: "The same with all fields.", argument: "observe:deployment/collector" },
  {
    method: "UpdateManifests",
    says: "Changes the manifests in git; the result is the ID of a job.",
    argument: {
      type: "policy",
      cause,
      spec: { "shop:deployment/cart": { add: { automated: "true" }, remove: {} } },
    },
  },
  { method: "JobStatus", says: "How far a job has come.", argument: "{job}" },
  { method: "SyncStatus", says: "The commits that are not applied yet.", argument: "{revision}" },
  {
    method: "NotifyChange",
    says: "Something was pushed: look now.",
    argument: { Kind: "git", Source: { URL: "{git}", Branch: "main" } },
  },
  { method: "GitRepoConfig", says: "The repository, and the public SSH key.", argument: false },
  { method: "Export", says: "All manifests in the cluster, as YAML in base64.", argument: {} },
  { method: "NoSuchMethod", says: "What is not there is an error, and the connection stays.", argument: {} },
];
