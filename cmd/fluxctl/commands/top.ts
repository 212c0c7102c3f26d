import { AdvisedError } from "@weir/base";
import { flagsOf, text } from "@weir/cli";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { usesColour } from "../output/paint.ts";

/** `fluxctl top`: a live view of all resources in git, with actions. */
export function topCommand(): Command {
  const flags = {
    namespace: text("namespace", {
      usage: "Show only this namespace (default: all namespaces)",
      shorthand: "n",
    }),
  };
  return {
    use: "top",
    long: `Show a live view of all resources in git: their health, how they compare with git, and recent events. Keys filter it,
show details and diffs, and release, lock, and unlock workloads. Press ? for help, and q to quit.`,
    example: `  fluxctl top
  fluxctl top --namespace default`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      requireTerminal(context);
      const { runTop } = await import("../top/live-top.ts");
      const hasColours = usesColour(context.screen, context.env);
      await runTop({ namespace: flags.namespace.value, hasColours }, context);
    },
  };
}

/** There's no terminal that can show a live view. */
export class NoLiveTerminalError extends AdvisedError {
  override readonly name = "NoLiveTerminalError";

  constructor(reason: string) {
    super(`${reason}; use \`fluxctl tree\` instead`, [
      "`fluxctl tree` prints the same tree once, and `fluxctl tree --watch` whenever it changes.",
    ]);
  }
}

function requireTerminal({ screen, env, openKeyboard }: CommandContext): void {
  if (screen === undefined || openKeyboard === undefined) {
    throw new NoLiveTerminalError("fluxctl top needs a terminal");
  }
  if (env["TERM"] === "dumb") {
    throw new NoLiveTerminalError("fluxctl top cannot draw on this terminal (TERM=dumb)");
  }
}
