import { flagsOf, text } from "@weir/cli";
import { parseResourceIdIn } from "@weir/flux";
import { describeSuspensions, encodePending, type PendingReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { suspensionsIn, tellSuspended } from "../advice/tell-suspended.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { authorFromGit } from "../flags/author.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { printPending } from "../output/confirmations.ts";
import { declareOutputFormat, outputFormatOf, printAs } from "../output/format.ts";

const name = "`fluxctl confirm`";

/** `fluxctl confirm`: confirms deletions that fluxd doesn't make by itself, and lists them. */
export async function confirmCommand(): Promise<Command> {
  const flags = await declareFlags();
  return {
    use: "confirm [RESOURCE...]",
    long: `Confirm deletions that fluxd does not make by itself. There are two kinds:
- A resource that is no longer in git, and has the annotation weir.dev/sync-options: Prune=confirm, is deleted
  only after it has been confirmed by name. The confirmation counts for one hour.
- If a sync would delete more resources than --sync-prune-limit allows, it deletes none. Use --prune with the
  revision to let the sync delete them. Only the resources that wait now are deleted, and only at that revision.
Without arguments, the command lists what waits, and changes nothing.`,
    example: `  fluxctl confirm
  fluxctl confirm default:persistentvolumeclaim/data
  fluxctl confirm --prune 0123456789ab`,
    flags: flagsOf(flags),
    async run(args, context) {
      const prune = flags.prune.value;
      if (prune !== "" && args.length > 0) {
        throw new UsageError("name either resources or --prune, not both");
      }
      if (prune === "" && args.length === 0) {
        const format = outputFormatOf(flags.outputFormat.value);
        const client = await context.connect();
        await tellSuspended(client, context);
        context.out(await printAs(format, printable(await pending(client, context), context)));
        return;
      }
      const namespace = args.length === 0 ? "" : await namespaceOr(flags.namespace.value, context);
      const resources = args.map((arg) => parseResourceIdIn(namespace, arg));
      await confirm({ user: flags.user.value, resources, pruneRevision: prune }, context);
    },
  };
}

async function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Namespace of resources given without one", shorthand: "n" }),
    prune: text("prune", {
      usage: "Allow a sync to this revision to delete more resources than --sync-prune-limit allows",
    }),
    user: text("user", {
      default: await authorFromGit(),
      usage: "Override the user who is named in fluxd's log",
    }),
    outputFormat: declareOutputFormat(),
  };
}

async function pending(client: ApiClient, context: CommandContext): Promise<PendingReport> {
  return context.waitFor("what waits for a confirmation", () =>
    requireWeir(name, client.pendingDeletions(context.signal)),
  );
}

function printable(report: PendingReport, { paint }: CommandContext) {
  const { unconfirmed, heldBack } = report;
  return {
    isEmpty: false,
    json: () => encodePending(report),
    table: () => printPending(report, paint),
    names: () => [...unconfirmed, ...heldBack],
  };
}

async function confirm(
  confirmation: Parameters<Awaited<ReturnType<CommandContext["connect"]>>["confirmDeletions"]>[0],
  context: CommandContext,
): Promise<void> {
  const client = await context.connect();
  const { revision, resources, forgotten } = await context.waitFor("the confirmation", () =>
    requireWeir(name, client.confirmDeletions(confirmation, context.signal)),
  );
  context.out(resources.map((id) => `${id}\n`).join(""));
  const what = resources.length === 1 ? "this resource" : `these ${resources.length} resources`;
  const suspended = (await suspensionsIn(client, context)).filter(({ what: each }) => each === "sync");
  const short = revision.slice(0, 12);
  if (suspended.length === 0) {
    context.err(`Confirmed. fluxd deletes ${what} with its next sync to ${short}, now.\n`);
  } else {
    context.err(`Confirmed, but ${describeSuspensions(suspended).join("")}.\n`);
    const until = confirmation.pruneRevision === "" ? "within an hour" : `while ${short} is what it syncs to`;
    context.err(`fluxd deletes ${what} if syncing is resumed ${until}: run \`fluxctl resume sync\`.\n`);
  }
  if (forgotten !== "") {
    context.err(
      `${context.errPaint.pending("Warning:")} fluxd forgets this when it restarts, because ${forgotten}.\n`,
    );
  }
}
