import { type CommandSections, printCommandHelp } from "./command-help.ts";
import { bool } from "./declare.ts";
import type { AnyFlag, Flag } from "./flag.ts";
import { PflagCommand } from "./pflag-command.ts";

/** A command as it appears in the program's command list. */
export interface ListedCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly short: string;
}

/** The rest of a command's declaration. */
export interface CommandDeclaration {
  /** The name and the arguments, e.g. "completion SHELL". */
  readonly use: string;
  readonly long?: string;
  /** Lines that are printed as they are. */
  readonly example?: string;
  readonly flags: readonly AnyFlag[];
  /** Omits "[flags]" from the usage line. */
  readonly hidesFlagsInUse?: boolean;
}

/** A command that is ready to run. */
export interface LoadedCommand extends CommandDeclaration {
  /** Runs the command; `args` are the arguments that aren't flags. Rejects if the command fails. */
  run(args: readonly string[]): Promise<void>;
}

/** The `--help` flag that every command has. */
export function helpFlag(name: string): Flag<boolean> {
  return bool("help", { usage: `help for ${name}`, shorthand: "h" });
}

/** A command of a program, with arguments and help as in Go's cobra. It's loaded when it's called. */
export class CobraCommand extends PflagCommand {
  readonly #load: () => Promise<LoadedCommand>;
  #loaded: Promise<LoadedCommand> | undefined;
  #sections: CommandSections;

  constructor(
    { name, aliases = [], short }: ListedCommand,
    globalFlags: readonly AnyFlag[],
    load: () => Promise<LoadedCommand>,
  ) {
    super(name);
    this.aliases(aliases).summary(short);
    this.#load = load;
    this.#sections = { example: undefined, flags: [], globalFlags };
  }

  /** Loads the command once. Until then, commander doesn't know its flags, help, or action. */
  load(): Promise<LoadedCommand> {
    this.#loaded ??= this.#load().then((loaded) => this.#declare(loaded));
    return this.#loaded;
  }

  override helpInformation(): string {
    return printCommandHelp(this, this.#sections);
  }

  #declare(loaded: LoadedCommand): LoadedCommand {
    const { use, long = this.summary(), example, hidesFlagsInUse } = loaded;
    const help = helpFlag(this.name());
    const flags = [...loaded.flags, help];
    this.#sections = { ...this.#sections, example, flags };
    this.description(long)
      .usage([...use.split(" ").slice(1), ...(hidesFlagsInUse ? [] : ["[flags]"])].join(" "))
      .addFlags([...flags, ...this.#sections.globalFlags])
      .allowExcessArguments()
      .action(() => (help.value ? this.outputHelp() : loaded.run(this.args)));
    return loaded;
  }
}
