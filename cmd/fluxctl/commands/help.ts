import { quoteGo } from "@weir/base";
import type { Command, CommandContext } from "../command.ts";

/** What there is to be said of the program. */
export interface Help {
  /** The help of the command that words name; undefined where they name none. */
  find(words: readonly string[]): Promise<string | undefined>;
  /** How the program is called. */
  usage(): string;
}

/**
 * `fluxctl help`: what --help of a command prints. As Flux v1 it ends well only where a daemon can be reached;
 * the help itself is printed in any case. What is no command is no failure.
 */
export function helpCommand(program: string, help: Help): Command {
  return {
    use: "help [command]",
    long: `Help provides help for any command in the application.\nSimply type ${program} help [path to command] for full details.`,
    flags: [],
    async run(args, context: CommandContext) {
      const found = await help.find(args);
      if (found === undefined) {
        context.err(`Unknown help topic [${args.map(quote).join(" ")}]\n${help.usage()}`);
      } else {
        context.out(found);
      }
      await context.connect();
    },
  };
}

/** As Go's %#q: in backquotes where they can hold the text. */
function quote(text: string): string {
  return /[\0-\x08\n-\x1f\x7f`\ufeff]/.test(text) ? quoteGo(text) : `\`${text}\``;
}
