/** The types of events that can be chosen: Flux's, and the console's own. */
export const eventTypes = [
  "sync",
  "commit",
  "release",
  "autorelease",
  "automate",
  "deautomate",
  "lock",
  "unlock",
  "update_policy",
  "drift",
  "failure",
] as const;

/** The events that change a workload in git. */
export const changesInGit: readonly string[] = [
  "commit",
  "release",
  "autorelease",
  "automate",
  "deautomate",
  "lock",
  "unlock",
  "update_policy",
];
