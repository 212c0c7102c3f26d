/** An example call on the page: its method, its single argument, and its description. */
export interface RpcExample {
  readonly method: string;
  readonly description: string;
  /** "{job}" and "{revision}" stand for values from earlier responses. */
  readonly argument: unknown;
}

const cause = { User: "you", Message: "try it" };

/** The order matters: later calls use results of earlier ones. */
export const rpcExamples: readonly RpcExample[] = [
  { method: "Ping", description: "Checks that the daemon responds.", argument: {} },
  { method: "Version", description: "Returns the version of the daemon.", argument: {} },
  {
    method: "ListServices",
    description: "Lists the workloads in a namespace, or in all namespaces if it's empty.",
    argument: "observe",
  },
  {
    method: "ListImagesWithOptions",
    description: "Lists the available images for containers.",
    argument: { Spec: "shop:deployment/web", OverrideContainerFields: ["Name", "Current"], Namespace: "" },
  },
  {
    method: "ListImages",
    description: "The same, with all fields.",
    argument: "observe:deployment/collector",
  },
  {
    method: "UpdateManifests",
    description: "Changes the manifests in git. The result is the ID of a job.",
    argument: {
      type: "policy",
      cause,
      spec: { "shop:deployment/cart": { add: { automated: "true" }, remove: {} } },
    },
  },
  { method: "JobStatus", description: "Returns the status of a job.", argument: "{job}" },
  {
    method: "SyncStatus",
    description: "Lists the commits that haven't been applied yet.",
    argument: "{revision}",
  },
  {
    method: "NotifyChange",
    description: "Notifies the daemon of a push, so that it fetches immediately.",
    argument: { Kind: "git", Source: { URL: "{git}", Branch: "main" } },
  },
  {
    method: "GitRepoConfig",
    description: "Returns the git repository and the public SSH key.",
    argument: false,
  },
  { method: "Export", description: "Returns all manifests in the cluster, as YAML in base64.", argument: {} },
  {
    method: "Inspect",
    description:
      "Weir only: sends a request to a `/v12` route, all of which are reachable this way except `/v12/export`. The result is " +
      "what the route returns over HTTP, or null for 204. The body is null for GET.",
    argument: { method: "GET", path: "/v12/suspensions", query: {}, body: null },
  },
  {
    method: "NoSuchMethod",
    description: "Calling a method that doesn't exist is an error; the connection stays open.",
    argument: {},
  },
];
