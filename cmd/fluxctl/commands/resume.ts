import { flagsOf, text } from "@weir/cli";
import { describeSuspensions, nameSuspended, type SuspensionReport } from "@weir/flux/api";
import type { Command, CommandContext } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { authorFromGit } from "../flags/author.ts";
import { suspendableOf } from "../flags/suspendable-args.ts";

/** `fluxctl resume`: makes fluxd do again what was suspended. */
export async function resumeCommand(): Promise<Command> {
  const user = text("user", {
    default: await authorFromGit(),
    usage: "Override the user who is named in fluxd's log",
  });
  return {
    use: "resume [sync|automation]",
    long: `Resume syncing, automated image updates, or both. fluxd syncs and looks for newer images at once.
If nothing was suspended, the command says so and succeeds.`,
    example: `  fluxctl resume
  fluxctl resume automation`,
    flags: flagsOf({ user }),
    async run(args, context) {
      const what = suspendableOf(args);
      const client = await context.connect();
      const report = await context.waitFor("fluxd to resume", () =>
        requireWeir("`fluxctl resume`", client.resume({ what, user: user.value }, context.signal)),
      );
      tell(report, context);
    },
  };
}

function tell({ suspensions, ended, forgotten }: SuspensionReport, context: CommandContext): void {
  const { out, err, errPaint } = context;
  const what = nameSuspended(ended.map((each) => each.what));
  out(ended.length === 0 ? "Nothing was suspended\n" : `Resumed: ${what}\n`);
  if (forgotten !== "") {
    const again = "the next fluxd finds it suspended again";
    err(`${errPaint.pending("Warning:")} ${again}, because ${forgotten}.\n`);
  }
  for (const line of describeSuspensions(suspensions)) {
    err(`${line.charAt(0).toUpperCase()}${line.slice(1)}.\n`);
  }
}
