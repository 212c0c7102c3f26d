import type { ListedCommand } from "@weir/cli";
import type { ExitStatus, LoadCommand } from "../command.ts";

/** A command in the table: enough to find it and to list it. The rest is loaded when it's called. */
export interface CommandEntry extends ListedCommand {
  /** The exit status on failure; 1 by default. */
  readonly failureStatus?: ExitStatus;
  readonly load: LoadCommand;
}

/** The commands, in the order of suggestions. */
export const commands: readonly CommandEntry[] = [
  {
    name: "version",
    short: "Output the version of fluxctl",
    load: async () => (await import("./version.ts")).versionCommand(),
  },
  {
    name: "list-images",
    short: "Show deployed and available images.",
    load: async () => (await import("./list-images.ts")).listImagesCommand(),
  },
  {
    name: "list-workloads",
    aliases: ["list-controllers"],
    short: "List workloads currently running in the cluster.",
    load: async () => (await import("./list-workloads.ts")).listWorkloadsCommand(),
  },
  {
    name: "release",
    short: "Release a new version of a workload.",
    load: async () => (await import("./release.ts")).releaseCommand(),
  },
  {
    name: "automate",
    short: "Turn on automatic deployment for a workload.",
    load: async () => (await import("./automate.ts")).automateCommand(),
  },
  {
    name: "deautomate",
    short: "Turn off automatic deployment for a workload.",
    load: async () => (await import("./deautomate.ts")).deautomateCommand(),
  },
  {
    name: "lock",
    short: "Lock a workload, so it cannot be deployed.",
    load: async () => (await import("./lock.ts")).lockCommand(),
  },
  {
    name: "unlock",
    short: "Unlock a workload, so it can be deployed.",
    load: async () => (await import("./unlock.ts")).unlockCommand(),
  },
  {
    name: "policy",
    short: "Manage policies for a workload.",
    load: async () => (await import("./policy.ts")).policyCommand(),
  },
  {
    name: "save",
    short: "Save workload definitions to local files in cluster-native format",
    load: async () => (await import("./save.ts")).saveCommand(),
  },
  {
    name: "identity",
    short: "Display SSH public key",
    load: async () => (await import("./identity.ts")).identityCommand(),
  },
  {
    name: "sync",
    short: "Synchronize the cluster with the git repository, now",
    load: async () => (await import("./sync.ts")).syncCommand(),
  },
  {
    name: "install",
    short: "Print and tweak Kubernetes manifests needed to install Flux in a Cluster",
    load: async () => (await import("./install.ts")).installCommand(),
  },
  {
    name: "diff",
    short: "Show what a sync would change in the cluster",
    failureStatus: 2,
    load: async () => (await import("./diff.ts")).diffCommand(),
  },
  {
    name: "tree",
    short: "Show the status of all resources in git and the objects they own",
    load: async () => (await import("./tree.ts")).treeCommand(),
  },
  {
    name: "why",
    short: "Show why a resource, an image, or a commit is as it is, and what to do",
    load: async () => (await import("./why.ts")).whyCommand(),
  },
  {
    name: "top",
    short: "Show a live view of all resources in git, and act on them",
    load: async () => (await import("./top.ts")).topCommand(),
  },
  {
    name: "logs",
    short: "Print the logs of a workload's pods",
    load: async () => (await import("./logs.ts")).logsCommand(),
  },
  {
    name: "confirm",
    short: "Confirm deletions that fluxd does not make by itself",
    load: async () => (await import("./confirm.ts")).confirmCommand(),
  },
  {
    name: "status",
    short: "Show in one line whether the cluster is as in git, or what is wrong",
    load: async () => (await import("./status.ts")).statusCommand(),
  },
  {
    name: "wait",
    short: "Wait until a revision is synced, resources are healthy, or an image runs",
    load: async () => (await import("./wait.ts")).waitCommand(),
  },
  {
    name: "suspend",
    short: "Suspend syncing or automated image updates, until somebody resumes them",
    load: async () => (await import("./suspend.ts")).suspendCommand(),
  },
  {
    name: "resume",
    short: "Resume what was suspended",
    load: async () => (await import("./resume.ts")).resumeCommand(),
  },
  {
    name: "check",
    short: "Check that fluxd has everything it needs",
    load: async () => (await import("./check.ts")).checkCommand(),
  },
  {
    name: "takeover",
    short: "Check whether Weir can take over from a running Flux v1, and how",
    failureStatus: 2,
    load: async () => (await import("./takeover.ts")).takeoverCommand(),
  },
  {
    name: "events",
    short: "Show recent events of the daemon",
    load: async () => (await import("./events.ts")).eventsCommand(),
  },
  {
    name: "history",
    short: "Show what happened in git and in the cluster, and who did it",
    load: async () => (await import("./history.ts")).historyCommand(),
  },
  {
    name: "undo",
    short: "Take back what a commit did to manifests, with a new commit",
    load: async () => (await import("./undo.ts")).undoCommand(),
  },
  {
    name: "export",
    short: "Write this install as objects of Flux v2",
    load: async () => (await import("./export.ts")).exportCommand(),
  },
  {
    name: "completion",
    short: "Output shell completion code for the specified shell (bash, zsh, fish, or powershell)",
    load: async () => (await import("./completion.ts")).completionCommand(),
  },
];
