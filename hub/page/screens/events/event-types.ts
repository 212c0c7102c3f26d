/** The types of events that can be chosen: those of daemons, then the console's own. */
export const eventTypes = [
  "sync",
  "commit",
  "release",
  "autorelease",
  "drift",
  "failure",
  "suspend",
  "resume",
  "disconnect",
  "connect",
] as const;

/** The events that change a workload in git. */
export const changesInGit: readonly string[] = ["commit", "release", "autorelease"];
