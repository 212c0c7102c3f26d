import type { LoadCommand } from "../command.ts";

/**
 * How to load each command except version, by its name. The build puts these commands into a bundle of their own, because
 * reading it would take version longer than it runs.
 */
export const loaders: Readonly<Record<string, LoadCommand>> = {
  "list-images": async () => (await import("./list-images.ts")).listImagesCommand(),
  "list-workloads": async () => (await import("./list-workloads.ts")).listWorkloadsCommand(),
  release: async () => (await import("./release.ts")).releaseCommand(),
  automate: async () => (await import("./automate.ts")).automateCommand(),
  deautomate: async () => (await import("./deautomate.ts")).deautomateCommand(),
  lock: async () => (await import("./lock.ts")).lockCommand(),
  unlock: async () => (await import("./unlock.ts")).unlockCommand(),
  policy: async () => (await import("./policy.ts")).policyCommand(),
  save: async () => (await import("./save.ts")).saveCommand(),
  identity: async () => (await import("./identity.ts")).identityCommand(),
  sync: async () => (await import("./sync.ts")).syncCommand(),
  install: async () => (await import("./install.ts")).installCommand(),
  diff: async () => (await import("./diff.ts")).diffCommand(),
  tree: async () => (await import("./tree.ts")).treeCommand(),
  why: async () => (await import("./why.ts")).whyCommand(),
  top: async () => (await import("./top.ts")).topCommand(),
  logs: async () => (await import("./logs.ts")).logsCommand(),
  confirm: async () => (await import("./confirm.ts")).confirmCommand(),
  status: async () => (await import("./status.ts")).statusCommand(),
  wait: async () => (await import("./wait.ts")).waitCommand(),
  suspend: async () => (await import("./suspend.ts")).suspendCommand(),
  resume: async () => (await import("./resume.ts")).resumeCommand(),
  check: async () => (await import("./check.ts")).checkCommand(),
  takeover: async () => (await import("./takeover.ts")).takeoverCommand(),
  events: async () => (await import("./events.ts")).eventsCommand(),
  history: async () => (await import("./history.ts")).historyCommand(),
  undo: async () => (await import("./undo.ts")).undoCommand(),
  export: async () => (await import("./export.ts")).exportCommand(),
  completion: async () => (await import("./completion.ts")).completionCommand(),
};
