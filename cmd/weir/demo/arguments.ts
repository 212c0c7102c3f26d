/** How to run the demo: what follows the story, and whether it waits for a person. */
export interface DemoArguments {
  /** "stay" runs until Ctrl-C, "once" ends after the story, and "tour" walks through the commands. */
  readonly mode: "stay" | "once" | "tour";
  /** The tour doesn't wait for Enter. */
  readonly yes: boolean;
}

/** What `weir demo` takes. */
export const usage = `Usage:
  weir demo                 tells a story, then stays up, and tells what you do
  weir demo --tour          walks through the commands of fluxctl, one by one
  weir demo --tour --yes    the same without waiting for Enter
  weir demo --once          tells the story and exits: 0 if everything worked`;

const known = ["--once", "--tour", "--yes"];

/** Parses what follows the program's name; "help" if that's what is wanted. Throws DemoArgumentsError. */
export function parseDemoArguments(args: readonly string[]): DemoArguments | "help" {
  const unknown = args.find((arg) => !known.includes(arg) && !["--help", "-h"].includes(arg));
  if (unknown !== undefined) {
    throw new DemoArgumentsError(`the demo has no argument ${JSON.stringify(unknown)}`);
  }
  if (args.some((arg) => !known.includes(arg))) {
    return "help";
  }
  const [once, tour, yes] = known.map((flag) => args.includes(flag)) as [boolean, boolean, boolean];
  if (once && tour) {
    throw new DemoArgumentsError("--once ends before the tour begins: leave out one of --once and --tour");
  }
  if (yes && !tour) {
    throw new DemoArgumentsError("--yes is for the tour only: add --tour, or leave out --yes");
  }
  return { mode: once ? "once" : tour ? "tour" : "stay", yes };
}

/** The arguments make no sense; the message has the remedy. */
export class DemoArgumentsError extends Error {
  override readonly name = "DemoArgumentsError";
}
