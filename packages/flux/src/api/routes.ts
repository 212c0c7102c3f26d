/** A route of the HTTP API. */
export interface Route {
  /** The name in Flux v1, also used in metrics. */
  readonly name: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST" | "PATCH")[];
  /** The path below the base path. */
  readonly path: string;
  /** Query keys that a request must have; their values can be empty. */
  readonly requiredQuery?: readonly string[];
}

/** The path of the API on its listener. */
export const apiBasePath = "/api/flux";

/** The routes of a daemon. After Flux v1's pkg/http/routes.go. */
export const routes = {
  ping: { name: "Ping", methods: ["GET"], path: "/v11/ping" },
  version: { name: "Version", methods: ["GET"], path: "/v11/version" },
  notify: { name: "Notify", methods: ["POST"], path: "/v11/notify" },
  listServices: { name: "ListServices", methods: ["GET"], path: "/v6/services" },
  listServicesWithOptions: { name: "ListServicesWithOptions", methods: ["GET"], path: "/v11/services" },
  listImages: { name: "ListImages", methods: ["GET"], path: "/v6/images" },
  listImagesWithOptions: { name: "ListImagesWithOptions", methods: ["GET"], path: "/v10/images" },
  updateManifests: { name: "UpdateManifests", methods: ["POST"], path: "/v9/update-manifests" },
  jobStatus: { name: "JobStatus", methods: ["GET"], path: "/v6/jobs", requiredQuery: ["id"] },
  syncStatus: { name: "SyncStatus", methods: ["GET"], path: "/v6/sync", requiredQuery: ["ref"] },
  export: { name: "Export", methods: ["HEAD", "GET"], path: "/v6/export" },
  gitRepoConfig: { name: "GitRepoConfig", methods: ["POST"], path: "/v9/git-repo-config" },
  updateImages: {
    name: "UpdateImages",
    methods: ["POST"],
    path: "/v6/update-images",
    requiredQuery: ["service", "image", "kind"],
  },
  updatePolicies: { name: "UpdatePolicies", methods: ["PATCH"], path: "/v6/policies" },
  getPublicSshKey: { name: "GetPublicSSHKey", methods: ["GET"], path: "/v6/identity.pub" },
  regeneratePublicSshKey: { name: "RegeneratePublicSSHKey", methods: ["POST"], path: "/v6/identity.pub" },
} as const satisfies Readonly<Record<string, Route>>;

/** Routes to inspect a daemon; Flux v1 has none of them. */
export const inspectionRoutes = {
  events: { name: "Events", methods: ["GET"], path: "/v12/events" },
  diff: { name: "Diff", methods: ["GET"], path: "/v12/diff" },
  syncSettings: { name: "SyncSettings", methods: ["GET"], path: "/v12/sync-settings" },
  tree: { name: "Tree", methods: ["GET"], path: "/v12/tree" },
  verification: { name: "Verification", methods: ["GET"], path: "/v12/verification" },
  pendingDeletions: { name: "PendingDeletions", methods: ["GET"], path: "/v12/confirmations" },
  confirmDeletions: { name: "ConfirmDeletions", methods: ["POST"], path: "/v12/confirmations" },
  lastSync: { name: "LastSync", methods: ["GET"], path: "/v12/last-sync" },
  imageScans: { name: "ImageScans", methods: ["GET"], path: "/v12/image-scans", requiredQuery: ["images"] },
  exportEverything: { name: "ExportEverything", methods: ["GET"], path: "/v12/export" },
  why: { name: "Why", methods: ["GET"], path: "/v12/why", requiredQuery: ["subject"] },
  suspensions: { name: "Suspensions", methods: ["GET"], path: "/v12/suspensions" },
  suspend: { name: "Suspend", methods: ["POST"], path: "/v12/suspend" },
  resume: { name: "Resume", methods: ["POST"], path: "/v12/resume" },
  status: { name: "Status", methods: ["GET"], path: "/v12/status" },
  history: { name: "History", methods: ["GET"], path: "/v12/history" },
  requestJob: { name: "RequestJob", methods: ["POST"], path: "/v12/jobs" },
  undo: { name: "Undo", methods: ["POST"], path: "/v12/undo" },
  check: { name: "Check", methods: ["POST"], path: "/v12/check" },
} as const satisfies Readonly<Record<string, Route>>;

/** Versions whose paths are all answered with "gone", by their first path element. */
export const deprecatedVersions: readonly string[] = ["v1", "v2", "v3", "v4", "v5"];
