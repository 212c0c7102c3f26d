import * as z from "zod";
import { id, page, paging, several, time } from "./common.ts";

const workloadId = z.string().min(1).max(1_000);

/** Puts images into the manifests of workloads. */
const release = z.object({
  kind: z.literal("release"),
  workloads: z.array(workloadId).min(1).max(1_000),
  images: z
    .union([
      z.literal("latest"),
      z
        .array(
          z.object({ workload: workloadId, container: z.string().max(253), image: z.string().max(1_000) }),
        )
        .max(1_000),
    ])
    .meta({ description: "`latest`: the newest that the tag filters allow." }),
  force: z.boolean().default(false).meta({ description: "Also of workloads that are locked." }),
  message: z.string().max(1_000).default(""),
});

/** Changes the policies of workloads. */
const policy = z.object({
  kind: z.literal("policy"),
  workloads: z.array(workloadId).min(1).max(1_000),
  automated: z.boolean().optional(),
  locked: z.boolean().optional(),
  ignored: z.boolean().optional(),
  tags: z
    .record(z.string().max(253), z.string().max(1_000))
    .optional()
    .meta({ description: "Tag filters by container." }),
  reason: z.string().max(1_000).default("").meta({ description: "Shown with a lock, and in the commit." }),
});

const sync = z.object({ kind: z.literal("sync") });

/** Reverts what a commit of fluxd did. */
const undo = z.object({ kind: z.literal("undo"), revision: z.string().min(7).max(64) });

/** Puts what differs in the cluster into git. */
const takeOver = z.object({ kind: z.literal("take-over"), ids: z.array(workloadId).min(1).max(1_000) });

export const jobSpec = z.discriminatedUnion("kind", [release, policy, sync, undo, takeOver]);

export const jobState = z.enum([
  "waiting-for-approval",
  "queued",
  "sent",
  "running",
  "succeeded",
  "failed",
  "lost",
  "rejected",
  "cancelled",
]);

/** What a job would do. */
export const plan = z.object({
  digest: z.string().meta({
    description:
      "To be sent with the job, so that it does exactly this or nothing; messages and reasons aren't part of it.",
  }),
  changes: z.array(
    z.object({
      workload: z.string(),
      status: z.string(),
      message: z.string(),
      containers: z.array(z.object({ container: z.string(), from: z.string(), to: z.string() })),
    }),
  ),
  isKnown: z.boolean().default(true).meta({
    description:
      "False if the daemon can't say what it would do: a sync of Flux v1 applies whatever is in git by then.",
  }),
  needsApproval: z.boolean(),
});

export const newJob = z.object({
  spec: jobSpec,
  idempotencyKey: z.string().min(8).max(100).meta({ description: "The same key never makes a second job." }),
  planDigest: z.string().max(100).default(""),
});

export const job = z.object({
  id,
  instance: z.object({ id, name: z.string() }),
  kind: z.string(),
  state: jobState,
  summary: z.string(),
  spec: jobSpec,
  plan: plan.nullable(),
  requestedBy: z.string(),
  requestedAt: time,
  decidedBy: z.string(),
  decidedAt: time.nullable(),
  decisionComment: z.string(),
  endedAt: time.nullable(),
  revision: z.string(),
  error: z.string(),
});

export const jobQuery = z.object({
  ...paging,
  instance: several(id),
  state: several(jobState),
  workload: several(workloadId),
  q: z.string().max(200).optional().meta({
    description: "Words to search for in summaries, workloads, errors, revisions, and who requested.",
  }),
  sort: z.enum(["-requestedAt", "requestedAt", "kind", "-kind", "state", "-state"]).default("-requestedAt"),
});

export const jobs = page(job);

export const decision = z.object({
  decision: z.enum(["approve", "reject"]),
  planDigest: z.string().max(100).meta({ description: "Of the plan that was looked at." }),
  comment: z.string().max(1_000).default(""),
});

export type Job = z.output<typeof job>;
export type JobSpec = z.output<typeof jobSpec>;
export type JobState = z.output<typeof jobState>;
export type Plan = z.output<typeof plan>;
