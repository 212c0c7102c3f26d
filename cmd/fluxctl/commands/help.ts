import { quoteGo } from "@weir/base";
import type { Command, CommandContext } from "../command.ts";

/** The help texts of the program. */
export interface Help {
  /** The help of the named command; undefined if there is no such command. */
  find(words: readonly string[]): Promise<string | undefined>;
  /** The usage of the program. */
  usage(): string;
}

/**
 * `fluxctl help`: prints what --help of a command prints. As Flux v1, it succeeds only if a daemon can be
 * reached, but prints the help in any case. An unknown command isn't a failure.
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

/** As Go's %#q: in backquotes, if the text allows it. */
function quote(text: string): string {
  return /[\0-\x08\n-\x1f\x7f`\ufeff]/.test(text) ? quoteGo(text) : `\`${text}\``;
}
