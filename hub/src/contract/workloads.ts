import * as z from "zod";
import { id, page, paging, several, time } from "./common.ts";

export const health = z.enum(["healthy", "progressing", "degraded", "unknown"]);

/** A container of a workload. */
const container = z.object({
  name: z.string(),
  image: z.string(),
  newest: z
    .string()
    .meta({ description: "The newest image that its tag filter allows; empty if it isn't known." }),
  newer: z.number().int().meta({ description: "How many images are newer than the one that runs." }),
});

/** A workload in a list. */
export const workload = z.object({
  instance: z.object({ id, name: z.string(), connected: z.boolean() }),
  id: z.string().meta({ description: "As Flux prints it, such as `default:deployment/helloworld`." }),
  namespace: z.string(),
  kind: z.string(),
  name: z.string(),
  status: z.string(),
  health,
  ready: z.number().int(),
  desired: z.number().int(),
  automated: z.boolean(),
  locked: z.boolean(),
  ignored: z.boolean(),
  lockedReason: z.string(),
  readOnly: z.string().meta({ description: "Why it can't be changed through git; empty if it can." }),
  policies: z.record(z.string(), z.string()),
  syncError: z.string(),
  containers: z.array(container),
  newImages: z.number().int(),
  changedAt: time,
});

export const workloadQuery = z.object({
  ...paging,
  q: z.string().max(200).optional().meta({ description: "Words to search for in IDs and images." }),
  instance: several(id),
  namespace: several(z.string().max(253)),
  kind: several(z.string().max(253)),
  health: several(health),
  policy: several(z.enum(["automated", "locked", "ignored"])),
  newImages: z
    .enum(["true"])
    .optional()
    .meta({ description: "Only workloads for which there's a newer image." }),
  problems: z
    .enum(["true"])
    .optional()
    .meta({ description: "Only those that are degraded or can't be synced." }),
  sort: z.enum(["id", "-id", "health", "changedAt", "-changedAt", "newImages"]).default("id"),
});

export const workloads = page(workload);

/** What lists can be narrowed to. */
export const workloadFacets = z.object({
  namespaces: z.array(z.object({ name: z.string(), count: z.number().int() })),
  kinds: z.array(z.object({ name: z.string(), count: z.number().int() })),
  health: z.record(z.string(), z.number().int()),
  total: z.number().int(),
});

/** An image that a container could run. */
const image = z.object({
  ref: z.string(),
  createdAt: time.nullable(),
  digest: z.string(),
  running: z.boolean(),
  allowed: z.boolean().meta({ description: "Whether the tag filter of the container allows it." }),
});

/** The images of a container, newest first. */
export const containerImages = z.object({
  container: z.string(),
  filter: z.string().meta({ description: "The tag filter, such as `semver:^1`." }),
  images: z.array(image),
  total: z.number().int().meta({ description: "How many there are; `images` may be cut." }),
  problem: z.string(),
});

export const workloadImages = z.object({ containers: z.array(containerImages) });

/** Why automation does or doesn't update a container. */
export const why = z.object({
  containers: z.array(
    z.object({
      container: z.string(),
      verdict: z.string(),
      reasons: z.array(z.string()),
    }),
  ),
});

/** An object, with what it owns. */
export interface TreeNode {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly health: string;
  readonly message: string;
  readonly children: readonly TreeNode[];
}

export const treeNode: z.ZodType<TreeNode> = z
  .object({
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    health: z.string(),
    message: z.string(),
    get children() {
      return z.array(treeNode);
    },
  })
  .register(z.globalRegistry, { id: "TreeNode" });

/** A change in git. */
export const historyEntry = z.object({
  kind: z.enum(["commit", "release", "autorelease", "policy", "undo"]),
  at: time,
  user: z.string().meta({ description: "Who requested it, or else the author of the commit." }),
  revision: z.string(),
  message: z.string(),
});

export const historyQuery = z.object(paging);

export const workloadHistory = page(historyEntry);

export const tree = z.object({ roots: z.array(treeNode) });

/** What git, the cluster, and the next sync make of an object. */
export const comparison = z.object({
  git: z.string().nullable().meta({ description: "The manifest in git; null if it's in none." }),
  live: z.string().nullable().meta({ description: "The object in the cluster; null if there's none." }),
  predicted: z.string().nullable().meta({ description: "The object after the next sync." }),
  changes: z.string().meta({ description: "A unified diff from `live` to `predicted`." }),
});

export type Workload = z.output<typeof workload>;
export type WorkloadQuery = z.output<typeof workloadQuery>;
export type Health = z.output<typeof health>;
export type HistoryChange = z.output<typeof historyEntry>;
