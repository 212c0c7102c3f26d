/** What the stand-in's automation released before its first sync: a commit and its note tell of that. */
export const automatedRelease = {
  /** The ID of the workload. */
  workload: "team-a:deployment/auto",
  container: "app",
  image: "registry.example.test/team-a/app:1.0.0",
  newImage: "registry.example.test/team-a/app:1.0.1",
} as const;
