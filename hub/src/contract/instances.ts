import * as z from "zod";
import { id, page, paging, shortName, time } from "./common.ts";

/** How an instance's last sync went. */
export const syncState = z.enum(["unknown", "synced", "behind", "failed"]);

/** How many workloads of an instance are in which state. */
const workloadCounts = z.object({
  total: z.number().int(),
  degraded: z.number().int(),
  progressing: z.number().int(),
  newImages: z.number().int().meta({ description: "Workloads for which there's a newer image." }),
});

/** A fluxd that may connect. */
export const instance = z.object({
  id,
  name: z.string(),
  description: z.string(),
  createdAt: time,
  connected: z.boolean(),
  connectedAt: time.nullable(),
  lastSeenAt: time.nullable(),
  daemon: z.object({
    kind: z.enum(["flux", "weir"]),
    version: z.string(),
    protocol: z.string().meta({ description: "The version of the websocket API, such as `v11`." }),
  }),
  git: z.object({
    url: z.string().meta({ description: "Without credentials." }),
    branch: z.string(),
    path: z.string(),
    head: z.string().meta({ description: "The newest commit of the branch that's known; empty if none is." }),
  }),
  sync: z.object({
    state: syncState,
    revision: z.string().meta({ description: "The commit that was synced last." }),
    at: time.nullable(),
  }),
  suspended: z
    .boolean()
    .meta({ description: "Whether anything is: syncing, automated updates of images, or both." }),
  syncSuspended: z.boolean(),
  suspendedReason: z.string(),
  problem: z.string().meta({ description: "What's wrong with it; empty if nothing is." }),
  workloads: workloadCounts,
});

export const instanceQuery = z.object({
  ...paging,
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Words to search for in names, descriptions, and addresses of repositories." }),
  connected: z.enum(["true", "false"]).optional(),
  sync: syncState.optional(),
  suspended: z.enum(["true", "false"]).optional(),
  sort: z
    .enum([
      "name",
      "-name",
      "lastSeenAt",
      "-lastSeenAt",
      "lastSyncAt",
      "-lastSyncAt",
      "unhealthy",
      "-unhealthy",
    ])
    .default("name"),
});

export const instances = page(instance);

export const newInstance = z.object({ name: shortName, description: z.string().max(1_000).default("") });

/** An instance with its token, which is never shown again. */
export const createdInstance = z.object({
  instance,
  token: z.string(),
  flags: z.array(z.string()).meta({ description: "The flags with which its fluxd connects." }),
});

export const instanceChange = z.object({
  name: shortName.optional(),
  description: z.string().max(1_000).optional(),
});

export const suspension = z.object({
  suspended: z.boolean(),
  reason: z.string().max(500).default("").meta({ description: "Why; shown to everyone until it ends." }),
});

/** Something that keeps a sync from happening, or a part of it. */
export const blocker = z.object({
  what: z.string().meta({ description: "The resource, file, or setting." }),
  why: z.string(),
  remedy: z.string().meta({ description: "What to do about it; empty if that isn't known." }),
});

export const blockers = z.object({ rows: z.array(blocker) });

/** An object in the cluster that isn't as in git. */
export const drift = z.object({
  id: z.string(),
  kind: z.enum(["changed", "missing", "extra"]),
  diff: z.string().meta({ description: "A unified diff from the cluster to git." }),
  by: z.array(z.string()).meta({ description: "Who changed it, by field manager." }),
});

export const drifts = z.object({ rows: z.array(drift), revision: z.string() });

export type Instance = z.output<typeof instance>;
export type SyncState = z.output<typeof syncState>;
