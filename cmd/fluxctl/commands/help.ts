import type { Command, CommandContext } from "../command.ts";

/** Finds the help of the command that words name; undefined where they name none. */
export type FindHelp = (words: readonly string[]) => Promise<string | undefined>;

/** There is no help on what was asked. */
export class UnknownTopicError extends Error {
  override readonly name = "UnknownTopicError";
}

/**
 * `fluxctl help`: what --help of a command prints. As Flux v1 it ends well only where a daemon can be reached;
 * the help itself is printed in any case.
 */
export function helpCommand(program: string, findHelp: FindHelp): Command {
  return {
    use: "help [command]",
    long: `Help provides help for any command in the application.\nSimply type ${program} help [path to command] for full details.`,
    flags: [],
    async run(args, context: CommandContext) {
      const help = await findHelp(args);
      if (help === undefined) {
        throw new UnknownTopicError(`unknown help topic ${args.join(" ")}`);
      }
      context.out(help);
      await context.connect();
    },
  };
}
