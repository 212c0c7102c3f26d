import { bool, flagsOf } from "@weir/cli";
import { encodeStatus, type StatusReport } from "@weir/flux/api";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { declareOutputFormat, outputFormatOf, type Printable, printAs } from "../output/format.ts";
import { printFullStatus, printStatusLine, problemsIn } from "../output/status.ts";

/** `fluxctl status`: says in one line whether the cluster is as in git, or what is wrong. */
export function statusCommand(): Command {
  const full = bool("full", {
    usage: "Show everything: git, syncs, automation, resources, and all problems",
  });
  const outputFormat = declareOutputFormat();
  return {
    use: "status",
    long: `Show in one line whether the cluster is as in git; what is wrong comes first.
Resources are those in git: "degraded" ones need somebody, "pending" ones may become healthy, or be applied, by
themselves.
The exit status is 0 if nothing is wrong, even if something is pending; 1 if fluxd can't be asked; and 2 if
something is wrong: git isn't ready, something is suspended, the last sync failed or could not apply a
resource, a resource is degraded, or a check failed.`,
    example: `  fluxctl status
  fluxctl status --full
  fluxctl status -o json`,
    flags: flagsOf({ full, outputFormat }),
    async run(args, context) {
      refuseArguments(args);
      const format = outputFormatOf(outputFormat.value);
      const client = await context.connect();
      const report = await context.waitFor("the status", () =>
        requireWeir("`fluxctl status`", client.status({ fetch: false, brief: false }, context.signal)),
      );
      context.out(await printAs(format, printable(report, full.value, context)));
      if (problemsIn(report).length > 0) {
        context.exitWith(2);
      }
    },
  };
}

function printable(report: StatusReport, isFull: boolean, { clock, paint }: CommandContext): Printable {
  const print = isFull ? printFullStatus : printStatusLine;
  return {
    isEmpty: false,
    json: () => ({ problems: problemsIn(report), ...encodeStatus(report) }),
    table: (wide) => (wide ? printFullStatus : print)(report, clock.now(), paint),
    names: () => problemsIn(report),
  };
}
