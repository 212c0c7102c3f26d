import { invariant } from "@weir/base";
import type { ListedCommand } from "@weir/cli";
import type { Command, ExitStatus, LoadCommand } from "../command.ts";

/** A command in the table: enough to find it and to list it. The rest is loaded when it's called. */
export interface CommandEntry extends ListedCommand {
  /** The exit status on failure; 1 by default. */
  readonly failureStatus?: ExitStatus;
  readonly load: LoadCommand;
}

/** The commands, in the order of suggestions. */
export const commands: readonly CommandEntry[] = listed().map((entry) => ({
  ...entry,
  load: () => loadCommand(entry.name),
}));

async function loadCommand(name: string): Promise<Command> {
  if (name === "version") {
    return (await import("./version.ts")).versionCommand();
  }
  const load = (await import("./loaders.ts")).loaders[name];
  invariant(load !== undefined, `the command ${name} can be loaded`);
  return load();
}

function listed(): readonly Omit<CommandEntry, "load">[] {
  return [
    { name: "version", short: "Output the version of fluxctl" },
    { name: "list-images", short: "Show deployed and available images." },
    {
      name: "list-workloads",
      aliases: ["list-controllers"],
      short: "List workloads currently running in the cluster.",
    },
    { name: "release", short: "Release a new version of a workload." },
    { name: "automate", short: "Turn on automatic deployment for a workload." },
    { name: "deautomate", short: "Turn off automatic deployment for a workload." },
    { name: "lock", short: "Lock a workload, so it cannot be deployed." },
    { name: "unlock", short: "Unlock a workload, so it can be deployed." },
    { name: "policy", short: "Manage policies for a workload." },
    { name: "save", short: "Save workload definitions to local files in cluster-native format" },
    { name: "identity", short: "Display SSH public key" },
    { name: "sync", short: "Synchronize the cluster with the git repository, now" },
    { name: "install", short: "Print and tweak Kubernetes manifests needed to install Flux in a Cluster" },
    {
      name: "diff",
      short: "Show what a sync would change in the cluster",
      failureStatus: 2,
    },
    { name: "tree", short: "Show the status of all resources in git and the objects they own" },
    { name: "why", short: "Show why a resource, an image, or a commit is as it is, and what to do" },
    { name: "top", short: "Show a live view of all resources in git, and act on them" },
    { name: "logs", short: "Print the logs of a workload's pods" },
    { name: "confirm", short: "Confirm deletions that fluxd does not make by itself" },
    { name: "status", short: "Show in one line whether the cluster is as in git, or what is wrong" },
    { name: "wait", short: "Wait until a revision is synced, resources are healthy, or an image runs" },
    { name: "suspend", short: "Suspend syncing or automated image updates, until somebody resumes them" },
    { name: "resume", short: "Resume what was suspended" },
    { name: "check", short: "Check that fluxd has everything it needs" },
    {
      name: "takeover",
      short: "Check whether Weir can take over from a running Flux v1, and how",
      failureStatus: 2,
    },
    { name: "events", short: "Show recent events of the daemon" },
    { name: "history", short: "Show what happened in git and in the cluster, and who did it" },
    { name: "undo", short: "Take back what a commit did to manifests, with a new commit" },
    { name: "export", short: "Write this install as objects of Flux v2" },
    {
      name: "completion",
      short: "Output shell completion code for the specified shell (bash, zsh, fish, or powershell)",
    },
  ];
}
