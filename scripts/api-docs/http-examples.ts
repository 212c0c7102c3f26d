import type { inspectionRoutes, routes } from "@weir/flux/api";

/** An example request on the page, with its description. */
export interface HttpExample {
  readonly route: keyof typeof routes | keyof typeof inspectionRoutes;
  readonly description: string;
  /** With the question mark; "{job}" and "{revision}" stand for values from earlier responses. */
  readonly query?: string;
  readonly method?: "HEAD" | "GET" | "POST" | "PATCH";
  readonly body?: unknown;
  /** True: this answer, or a later one, depends on whether all commits are synced; so the request waits for that. */
  readonly isAfterSync?: boolean;
}

const cause = { User: "you", Message: "try it" };

/** The order matters: later requests use results of earlier ones. */
export const httpExamples: readonly HttpExample[] = [
  { route: "ping", description: "Checks that the daemon responds." },
  { route: "version", description: "Returns the version of the daemon." },
  {
    route: "listServicesWithOptions",
    description:
      "Lists workloads with their containers, images, policies, and rollout status: those in a `namespace`, those with the given IDs, or, without a query, all of them.",
    query: "?services=shop:deployment/web",
  },
  {
    route: "listServices",
    description: "The same in the format of older versions of fluxctl.",
    query: "?namespace=observe",
  },
  {
    route: "listImagesWithOptions",
    description:
      "Lists the available images for the containers of workloads. `service` is a workload or `<all>`, and `namespace` restricts the list to a namespace. `containerFields` is a comma-separated list of the fields to return.",
    query: "?service=shop:deployment/web&containerFields=Name,Current",
  },
  {
    route: "listImages",
    description: "The same, with all fields.",
    query: "?service=observe:deployment/collector",
  },
  {
    route: "updateManifests",
    description:
      'Changes the manifests in git: policies, as in this example, or images (`"type": "image"` or `"containers"`). `"type": "sync"` starts a sync. The response is the ID of a job.',
    body: {
      type: "policy",
      cause,
      spec: { "shop:deployment/web": { add: { automated: "true" }, remove: {} } },
    },
  },
  {
    route: "jobStatus",
    description: "Returns the status of a job (queued, running, succeeded, or failed) and its result.",
    query: "?id={job}",
  },
  {
    route: "syncStatus",
    description:
      "Lists the commits up to `ref` that haven't been applied yet, newest first. The list is empty when all commits are applied.",
    query: "?ref={revision}",
  },
  {
    route: "notify",
    description: "Notifies the daemon of a push, so that it fetches immediately. Intended for git hooks.",
    body: { Kind: "git", Source: { URL: "{git}", Branch: "main" } },
  },
  {
    route: "gitRepoConfig",
    description:
      "Returns the git repository, the state of the mirror, and the public SSH key. If the body is `true`, generates a new key first.",
    body: false,
  },
  { route: "export", description: "Returns all manifests in the cluster, as YAML in base64." },
  {
    route: "updateImages",
    description:
      "Releases images, in the format of older versions of fluxctl. `kind` is `plan` or `execute`.",
    query: "?service=shop:deployment/web&image=%3Call%20latest%3E&kind=plan&user=you&message=try%20it",
  },
  {
    route: "updatePolicies",
    description: "Changes policies, in the format of older versions of fluxctl.",
    query: "?user=you&message=try%20it",
    body: { "shop:deployment/web": { add: {}, remove: { automated: "true" } } },
  },
  { route: "getPublicSshKey", description: "Returns the public SSH key." },
  { route: "regeneratePublicSshKey", method: "POST", description: "Generates a new SSH key." },
  {
    route: "events",
    description:
      "Not in Flux v1. Lists the recent events of the daemon, oldest first. `after` is the ID of the last known event. If there is no newer event, `wait` is how many seconds to wait for one (60 at most).",
    query: "?wait=30",
    isAfterSync: true,
  },
  {
    route: "diff",
    description:
      "Not in Flux v1. Shows what a sync would change. `ref` is a commit, branch, or tag; the default is the head of the synced branch.",
    query: "?ref={revision}",
  },
  {
    route: "syncSettings",
    description:
      "Not in Flux v1. Says what determines which objects a sync applies and deletes: the name of the sync set, and the settings of fluxd's flags. `fluxctl diff --local` compares other manifests with the cluster by these rules. `decrypts` is true if fluxd decrypts files of the repository.",
  },
  {
    route: "tree",
    description:
      "Not in Flux v1. Shows the status of all resources in git and the objects that they own. `namespace` restricts the list to a namespace. With `after`, the `version` of an earlier response, and `wait`, the response comes as soon as the tree may have changed, or after `wait` seconds (at most 60) as 204 without a body.",
    query: "?namespace=observe",
  },
  {
    route: "pendingDeletions",
    description:
      "Not in Flux v1. Lists what the next sync will not delete until a person decides about it: `unconfirmed` are resources that ask for a confirmation (`Prune=confirm`), and `heldBack` are those that are more than `--sync-prune-limit` allows, with the `reason`.",
  },
  {
    route: "confirmDeletions",
    description:
      "Not in Flux v1. Confirms the deletion of `resources`, or of all that a sync to `pruneRevision` holds back (one of both), and requests a sync. `user` is named in the log. If any of them doesn't wait for a confirmation, nothing is confirmed.",
    body: { user: "you", resources: ["shop:configmap/settings"], pruneRevision: "" },
  },
  {
    route: "history",
    description:
      "Not in Flux v1. What happened, newest first: commits on the synced branch and paths, with what fluxd's notes say about them (`release`, `autorelease`, `policy`, `undo`), and syncs that changed the cluster (`drift`: nothing was new in git). `limit` is 20 by default and 500 at most; `next` is the value of `before` for the next page, and \"\" at the end. A page can be shorter than `limit` if few commits match. Filters: `resource`, `namespace`, `kinds` (separated by commas), and `since`. `more` is how many resources aren't listed.",
    query: "?limit=3&kinds=commit,policy",
  },
  {
    route: "undo",
    description:
      "Not in Flux v1. Takes back what a commit did to manifests, with a new commit: everything that `commit` did, or only to `resource`, or, without a `commit`, what the last commit did that changed `resource`. Returns the ID of a job. With `dryRun`, nothing is changed, and the response is what would be done. `allowDelete` allows that resources are removed from git, and thereby from the cluster.",
    body: {
      cause: { Message: "it leaks memory", User: "you" },
      commit: "{revision}",
      resource: "",
      allowDelete: true,
      dryRun: true,
    },
  },
  {
    route: "requestJob",
    description:
      "Not in Flux v1. Requests a job under an `id` of one's own, 8 to 64 letters, digits, and dashes, so that `/v6/jobs` can be asked about it even if the answer gets lost; if there's a job with that ID, nothing more is done. The job is an `update`, a spec as `/v9/update-manifests` takes it, or an `undo` as `/v12/undo` does. With a `revision`, a sync or an undo is done only if that's still the head of the branch, which a sync doesn't fetch then.",
    body: {
      id: "sync-of-today",
      update: { type: "sync", cause: { Message: "", User: "you" }, spec: {} },
      revision: "{revision}",
    },
  },
  {
    route: "verification",
    description:
      "Not in Flux v1. Up to where the branch is verified, as of the last fetch, if commits must be signed (`mode` is `all` or `first-parent`). `bad` is the first commit without a good signature: its author, git's status (`%G?`), the key, whose key it is, and a reason for people. `error` says why nothing can be verified, such as a sync tag that isn't signed.",
  },
  {
    route: "status",
    description:
      "Not in Flux v1. Whether the cluster is as in git, and if not, why: the state of git, the `head` that a sync would apply and the last `synced` commit, how many commits it's `behind`, the last sync, what is suspended, the resources in git by their condition, and problems with images, API groups, and signatures. `unknown` names what can't be determined. `fetch=true` fetches from git first; `brief=true` leaves out resources and deletions.",
    query: "?brief=true",
    isAfterSync: true,
  },
  {
    route: "suspend",
    description:
      "Not in Flux v1. Suspends syncing (`sync`), automated image updates (`automation`), or both. It ends at `until`, after `seconds`, or when somebody resumes it. `forgotten` is the reason why a restart of fluxd ends it, which is possible only outside a pod; `stillSyncing` means that fluxd waits for the API server's answer to something that it sent before. Fails with 500, and suspends nothing, if the next fluxd in the pod wouldn't know. While syncing is suspended, a job of type \"sync\" is refused with 422.",
    body: { what: ["automation"], reason: "database migration", user: "you", seconds: 3600 },
  },
  {
    route: "suspensions",
    description: "Not in Flux v1. What is suspended now.",
  },
  {
    route: "resume",
    description:
      "Not in Flux v1. Resumes what is suspended; `ended` is what was. `forgotten` says why the next fluxd finds it suspended again, if it does.",
    body: { what: ["automation"], user: "you" },
  },
  {
    route: "why",
    description:
      'Not in Flux v1. Why a resource, an image, or a commit (`subject`) is as it is; `namespace` is for resources given without one. `kind` says what the answer is about: `"resource"` (its manifest in git with the last commit that changed it, the live object, the fields that differ and who wrote them), `"image"` (which containers use it, and whether each `runs` it, `moves` to it, or `stays`), `"commit"` (what it changed, and what became of that), or `"unknown"` (with the names that are `known`). `causes` says what holds it up, the most important first, each with a stable `kind` and `remedies`. Values of Secrets and of encrypted files are left out.',
    query: "?subject=configmap/web-settings&namespace=shop",
  },
  {
    route: "lastSync",
    description:
      "Not in Flux v1. How the last sync ended: `failure` is why it didn't complete, and `errors` are the resources that couldn't be applied. `isRunning` is true while a sync is busy, and `waitingFor` are the resources that it waits for.",
    isAfterSync: true,
  },
  {
    route: "imageScans",
    description:
      "Not in Flux v1. What the last scans of repositories of images found. `images` are their names, separated by commas. `state` is `scanned`, `waiting` (for the first scan), `failed`, `stale` (there are images, but the last scan failed), or `off` (with `--registry-disable-scanning`).",
    query: "?images=ghcr.io/example/web",
  },
  {
    route: "exportEverything",
    description:
      "Not in Flux v1. Like `/v6/export`, but without `--k8s-allow-namespace`, it returns all namespaces.",
  },
  {
    route: "check",
    description:
      "Not in Flux v1. Checks that fluxd has everything it needs. The check runs at the time of the request: it reads from git, and if fluxd has write access, pushes a tag and deletes it again. `verdict` is `passed`, `warning`, or `failed`; `advice` says what to do.",
  },
];
