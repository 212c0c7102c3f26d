import { bool, count, flagsOf, text } from "@weir/cli";
import { FluxError, parseResourceIdIn, type ResourceId } from "@weir/flux";
import type { JobResult, UndoAnswer, UndoPlan, UndoRequest } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { authorFromGit } from "../flags/author.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { describeUndo, printUndoDiff } from "../output/undo.ts";
import { JobFailedError } from "../waiting/await-job.ts";
import { awaitApplied, awaitUpdate, tellUpdate } from "../waiting/outcome.ts";
import { watchRollout } from "../waiting/watch-rollout.ts";

/** `fluxctl undo`: takes back what a commit did to manifests, with a new commit, and waits until that's applied. */
export async function undoCommand(): Promise<Command> {
  const flags = await declareFlags();
  return {
    use: "undo COMMIT|WORKLOAD",
    long: `Take back what a commit did to manifests, with a new commit: everything that COMMIT did, or what the last commit
that changed the manifest of WORKLOAD did to it. What was changed by others since stays. If the same lines were changed
again, nothing is undone, and fluxctl says which commit is in the way. Files that aren't manifests stay as they are.
A workload that automation would update again is locked; unlock it with \`fluxctl unlock\`.
If undoing would remove a resource from git, which deletes it with garbage collection, --allow-delete is required.`,
    example: `  fluxctl undo 0123abc --dry-run
  fluxctl undo 0123abc -m "the new version leaks memory"
  fluxctl undo default:deployment/foo`,
    flags: flagsOf(flags),
    async run(args, context) {
      const request = await requestOf(args, flags, context);
      const client = await context.connect();
      const plan = await planned(request, client, context);
      if (flags.dryRun.value) {
        context.out(printUndoDiff(plan, context.paint));
      }
      context.err(describeUndo(plan, flags.dryRun.value));
      if (!flags.dryRun.value) {
        // Exactly the commit that was shown, even if there's a newer one by now.
        const exactly = { ...request, commit: plan.revision };
        const { job } = await ask({ ...exactly, dryRun: false }, client, context);
        const made = await awaitUpdate(client, job, context).catch(async (error: unknown) => {
          throw error instanceof JobFailedError ? await explained(error, exactly, client, context) : error;
        });
        await follow(made, plan, flags, client, context);
      }
    },
  };
}

type UndoFlags = Awaited<ReturnType<typeof declareFlags>>;

async function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Namespace of the workload", shorthand: "n" }),
    message: text("message", { usage: "attach a message to the update", shorthand: "m" }),
    user: text("user", {
      default: await authorFromGit(),
      usage: "override the user reported as initiating the update",
    }),
    dryRun: bool("dry-run", { usage: "Show what would be changed and locked, and change nothing" }),
    allowDelete: bool("allow-delete", { usage: "Allow that resources are removed from git" }),
    watch: bool("watch", {
      default: true,
      usage: "Watch the rollout of the changed workloads",
      shorthand: "w",
    }),
    verbose: count("verbose", { usage: "show more of the rollout", shorthand: "v" }),
  };
}

async function requestOf(
  args: readonly string[],
  { namespace, message, user, allowDelete }: UndoFlags,
  context: CommandContext,
): Promise<UndoRequest> {
  const [what, ...others] = args;
  if (what === undefined || others.length > 0) {
    throw new UsageError("expected one commit or workload");
  }
  const isWorkload = what.includes("/");
  if (!isWorkload && !/^[0-9a-f]{7,64}$/.test(what)) {
    throw new UsageError(
      `${JSON.stringify(what)} is neither the hash of a commit, of at least 7 characters, nor a workload, like deployment/foo`,
    );
  }
  return {
    cause: { message: message.value, user: user.value },
    commit: isWorkload ? "" : what,
    resource: isWorkload ? parseResourceIdIn(await namespaceOr(namespace.value, context), what) : "",
    allowDelete: allowDelete.value,
    dryRun: true,
  };
}

async function planned(request: UndoRequest, client: ApiClient, context: CommandContext): Promise<UndoPlan> {
  const { plan } = await context.waitFor("what would be undone", () => ask(request, client, context));
  if (plan === undefined) {
    throw new Error("fluxd didn't say what it would undo");
  }
  return plan;
}

function ask(request: UndoRequest, client: ApiClient, { signal }: CommandContext): Promise<UndoAnswer> {
  return requireWeir("`fluxctl undo`", client.undo(request, signal));
}

/** A job that failed has no more than a message. Whatever made it fail usually also refuses a dry run, with its help. */
async function explained(
  failure: JobFailedError,
  request: UndoRequest,
  client: ApiClient,
  context: CommandContext,
): Promise<Error> {
  try {
    await ask({ ...request, dryRun: true }, client, context);
    return failure;
  } catch (error) {
    context.signal.throwIfAborted();
    return error instanceof FluxError && error.message === failure.message ? error : failure;
  }
}

async function follow(
  made: JobResult,
  plan: UndoPlan,
  { verbose, watch }: UndoFlags,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  tellUpdate(made, verbose.value, context);
  if (made.revision !== undefined && !(await awaitApplied(client, made.revision, context))) {
    return;
  }
  const ids = watch.value ? workloadsIn(made, plan) : [];
  if (ids.length > 0) {
    await watchRollout({ ids, verbosity: verbose.value }, client, context);
  }
}

/** The changed resources with containers that still exist. */
function workloadsIn({ result }: JobResult, { resources }: UndoPlan): readonly ResourceId[] {
  return resources
    .filter(({ id, what }) => what !== "deleted" && (result?.get(id)?.containers ?? null) !== null)
    .map(({ id }) => id);
}
