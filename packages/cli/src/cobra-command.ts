import { type CommandSections, printCommandHelp } from "./command-help.ts";
import { bool } from "./declare.ts";
import type { AnyFlag, Flag } from "./flag.ts";
import { PflagCommand } from "./pflag-command.ts";

/** What the list of a program's commands says of one. */
export interface ListedCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly short: string;
}

/** What else there is to say of a command. */
export interface CommandDeclaration {
  /** Its name and what follows it, e.g. "completion SHELL". */
  readonly use: string;
  readonly long?: string;
  /** Lines as they are to be shown. */
  readonly example?: string;
  readonly flags: readonly AnyFlag[];
  /** Leaves "[flags]" out of the line that shows its use. */
  readonly hidesFlagsInUse?: boolean;
}

/** A command that can be run. */
export interface LoadedCommand extends CommandDeclaration {
  /** Runs it; `args` are what is no flag. Rejects where it fails. */
  run(args: readonly string[]): Promise<void>;
}

/** The flag that every command has. */
export function helpFlag(name: string): Flag<boolean> {
  return bool("help", { usage: `help for ${name}`, shorthand: "h" });
}

/** A command of a program, with the arguments and the help of Go's cobra. It is loaded when it is called. */
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

  /** Loads it, unless that has been done. Only then does commander know its flags, its help and how to run it. */
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
