import type { inspectionRoutes, routes } from "../../src/api/types/routes.ts";

/** A request that the page shows, with what there is to know of it. */
export interface HttpExample {
  readonly route: keyof typeof routes | keyof typeof inspectionRoutes;
  readonly says: string;
  /** With the question mark; "{job}" and "{revision}" stand for what earlier answers told. */
  readonly query?: string;
  readonly method?: "HEAD" | "GET" | "POST" | "PATCH";
  readonly body?: unknown;
}

const cause = { User: "you", Message: "try it" };

/** In this order: later ones ask for what earlier ones made. */
export const httpExamples: readonly HttpExample[] = [
  { route: "ping", says: "Is the daemon there?" },
  { route: "version", says: "The version of the daemon." },
  {
    route: "listServicesWithOptions",
    says: "Workloads with their containers, images, policies and how far they are rolled out: those of a `namespace`, or some by their IDs; all without a query.",
    query: "?services=shop:deployment/web",
  },
  { route: "listServices", says: "The same as fluxctl of old asks for it.", query: "?namespace=observe" },
  {
    route: "listImagesWithOptions",
    says: "The images that there are for the containers of workloads. `service` is a workload or `<all>`; `namespace` narrows it; `containerFields` names the fields that are wanted, by commas.",
    query: "?service=shop:deployment/web&containerFields=Name,Current",
  },
  { route: "listImages", says: "The same with all fields.", query: "?service=observe:deployment/collector" },
  {
    route: "updateManifests",
    says: 'Changes the manifests in git: policies here, or images (`"type": "image"`, `"containers"`), or a sync (`"sync"`). The answer is the ID of a job.',
    body: {
      type: "policy",
      cause,
      spec: { "shop:deployment/web": { add: { automated: "true" }, remove: {} } },
    },
  },
  {
    route: "jobStatus",
    says: "How far a job has come: queued, running, succeeded or failed, and then what it did.",
    query: "?id={job}",
  },
  {
    route: "syncStatus",
    says: "The commits up to `ref` that are not applied yet, the newest first: none when all is applied.",
    query: "?ref={revision}",
  },
  {
    route: "notify",
    says: "Something was pushed: look now. For git hooks.",
    body: { Kind: "git", Source: { URL: "{git}", Branch: "main" } },
  },
  {
    route: "gitRepoConfig",
    says: "The repository, the state of the mirror, and the public SSH key; with `true` for a body a new key is made first.",
    body: false,
  },
  { route: "export", says: "All manifests in the cluster, as YAML in base64." },
  {
    route: "updateImages",
    says: "A release as fluxctl of old asked for it; `kind` is `plan` or `execute`.",
    query: "?service=shop:deployment/web&image=%3Call%20latest%3E&kind=plan&user=you&message=try%20it",
  },
  {
    route: "updatePolicies",
    says: "Policies as fluxctl of old set them.",
    query: "?user=you&message=try%20it",
    body: { "shop:deployment/web": { add: {}, remove: { automated: "true" } } },
  },
  { route: "getPublicSshKey", says: "The public SSH key." },
  { route: "regeneratePublicSshKey", method: "POST", says: "Makes a new SSH key." },
  {
    route: "events",
    says: "Not in Flux v1: what the daemon did lately, the oldest first. `after` is the ID of the last event that is known already; `wait` says for how many seconds to wait for a newer one where there is none (60 at most).",
    query: "?wait=30",
  },
  {
    route: "diff",
    says: "Not in Flux v1: what a sync would change. `ref` is a commit, branch or tag; the head of the branch without it.",
    query: "?ref={revision}",
  },
  {
    route: "tree",
    says: "Not in Flux v1: how everything is that git holds, and what it owns; `namespace` narrows it.",
    query: "?namespace=observe",
  },
  {
    route: "check",
    says: "Not in Flux v1: checks, at the time of the request, that fluxd has everything it needs. It reads from git, and if fluxd may write there, pushes a tag and removes it again. `verdict` is `passed`, `warning`, or `failed`; `advice` says what to do.",
  },
];
