import { duration, flagsOf, text } from "@weir/cli";
import { describeSuspensions, type SuspendRequest, type SuspensionReport } from "@weir/flux/api";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { authorFromGit } from "../flags/author.ts";
import { parseMoment } from "../flags/moment.ts";
import { suspendableOf } from "../flags/suspendable-args.ts";

/** `fluxctl suspend`: makes fluxd stop syncing, or updating images automatically, for a while. */
export async function suspendCommand(): Promise<Command> {
  const flags = await declareFlags();
  return {
    use: "suspend [sync|automation]",
    long: `Suspend syncing, automated image updates, or both, until somebody resumes them or until a given end.
- sync: fluxd changes nothing in the cluster. It applies and deletes nothing, starts no hooks, and leaves drift as
  it is. A sync that is running stops. Hooks that are running are left alone.
- automation: fluxd commits no image updates by itself.
Commands such as \`fluxctl release\` still commit, because git is not the cluster; their commits are applied when
syncing resumes. fluxd remembers this when it restarts; outside a pod, such as with --embedded-cluster, it doesn't,
and the command says so. To see what is suspended, run \`fluxctl status\`.`,
    example: `  fluxctl suspend --reason "database migration" --for 2h
  fluxctl suspend sync --until 18:30
  fluxctl suspend automation --until 2030-01-02T08:00:00Z`,
    flags: flagsOf(flags),
    async run(args, context) {
      const what = suspendableOf(args);
      const end = endOf(flags, new Date(context.clock.now()));
      const request = { what, reason: flags.reason.value, user: flags.user.value, ...end };
      const client = await context.connect();
      const report = await context.waitFor("fluxd to stop", () =>
        requireWeir("`fluxctl suspend`", client.suspend(request, context.signal)),
      );
      tell(report, request, context);
    },
  };
}

type SuspendFlags = Awaited<ReturnType<typeof declareFlags>>;

async function declareFlags() {
  return {
    reason: text("reason", { usage: "Why, for whoever sees that it's suspended", shorthand: "m" }),
    for: duration("for", { usage: "Resume after this time, such as 90m" }),
    until: text("until", { usage: "Resume at this time, such as 18:30 or 2030-01-02T08:00:00Z" }),
    user: text("user", {
      default: await authorFromGit(),
      usage: "Override the user who is named as the one who suspended it",
    }),
  };
}

function endOf({ for: lasting, until }: SuspendFlags, now: Date): Pick<SuspendRequest, "until" | "seconds"> {
  if (lasting.isSet && until.isSet) {
    throw new UsageError("use either --for or --until, not both");
  }
  if (lasting.isSet) {
    if (lasting.value < 1_000) {
      throw new UsageError("--for must be at least one second");
    }
    return { seconds: Math.ceil(lasting.value / 1000) };
  }
  return until.isSet ? { until: parseMoment(until.value, now) } : {};
}

function tell(
  { suspensions, forgotten, stillSyncing }: SuspensionReport,
  { what }: SuspendRequest,
  { out, err, errPaint }: CommandContext,
): void {
  const now = suspensions.filter((each) => what.includes(each.what));
  for (const line of describeSuspensions(now)) {
    out(`${line.charAt(0).toUpperCase()}${line.slice(1)}\n`);
  }
  if (stillSyncing) {
    const wait =
      "fluxd still waits for the API server's answer to what it sent before; it sends nothing more";
    err(`${errPaint.pending("Warning:")} ${wait}.\n`);
  }
  if (forgotten !== "") {
    err(`${errPaint.pending("Warning:")} a restart of fluxd ends this, because ${forgotten}.\n`);
  }
  if (now.some(({ until }) => until === undefined)) {
    err("This has no end. To resume, run `fluxctl resume`.\n");
  }
}
