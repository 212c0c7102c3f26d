import type { RequestOf } from "../api/api.ts";

/** The most jobs that are counted. */
export const mostWaiting = 50;

/** Asks for the jobs that wait for approval. */
export const waitingJobs = {
  query: { state: ["waiting-for-approval"], limit: mostWaiting },
} satisfies RequestOf<"jobs">;

/** How many instances the banner names. */
export const mostNamed = 3;

/** Asks for the suspended instances that the banner names, and whether there are more. */
export const suspendedInstances = {
  query: { suspended: "true", limit: mostNamed + 1 },
} satisfies RequestOf<"instances">;
