import { quoteGo } from "@weir/base";
import { type Command, CommanderError, type ParseOptionsResult } from "commander";
import { CobraCommand, helpFlag, type ListedCommand, type LoadedCommand } from "./cobra-command.ts";
import { printProgramHelp } from "./command-help.ts";
import { commandWord } from "./command-word.ts";
import { bool } from "./declare.ts";
import { type AnyFlag, type Flag, FlagError } from "./flag.ts";
import { PflagCommand } from "./pflag-command.ts";
import { suggest } from "./suggest.ts";

/** The declaration of a program. */
export interface ProgramDeclaration {
  readonly name: string;
  readonly long: string;
  /** What `--version` prints. */
  readonly version: string;
  /** Flags that every command accepts. */
  readonly flags: readonly AnyFlag[];
}

/** The functions that a program writes its output with. */
export interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * A program with commands. commander finds the command that a command line names and runs it; arguments,
 * help, and errors follow Go's cobra.
 */
export class CobraProgram extends PflagCommand {
  readonly #globalFlags: readonly AnyFlag[];
  readonly #version: string;
  readonly #showsVersion: Flag<boolean>;
  readonly #showsHelp: Flag<boolean>;
  #called: CobraCommand | undefined;

  constructor({ name, long, version, flags }: ProgramDeclaration, { out, err }: ProgramOutput) {
    super(name);
    this.#globalFlags = flags;
    this.#version = version;
    this.#showsVersion = bool("version", { usage: `version of ${name}` });
    this.#showsHelp = helpFlag(name);
    this.description(long)
      .helpOption(false)
      .helpCommand(false)
      .showSuggestionAfterError(false)
      .configureOutput({
        writeOut: out,
        writeErr: err,
        outputError: () => undefined,
        // Pass output to the caller's functions unchanged.
        getOutHasColors: () => true,
      })
      .exitOverride((error) => {
        throw this.#asCobraError(error);
      })
      .hook("preSubcommand", (_program, command) => this.#call(command));
    this.addFlags([...flags, this.#showsHelp, this.#showsVersion]);
  }

  /** The command that was called, or undefined if none was found. */
  get called(): CobraCommand | undefined {
    return this.#called;
  }

  /** Adds a command. The rest of it is loaded when it's called. */
  addListed(listed: ListedCommand, load: () => Promise<LoadedCommand>): void {
    this.addCommand(new CobraCommand(listed, this.#globalFlags, load).copyInheritedSettings(this));
  }

  /** Finds a command by its name or an alias. */
  commandNamed(word: string): CobraCommand | undefined {
    return this.commands
      .filter((command) => command instanceof CobraCommand)
      .find((command) => command.name() === word || command.aliases().includes(word));
  }

  /** Runs a command line; prints help if it names no command. Throws FlagError. */
  async run(args: readonly string[]): Promise<void> {
    try {
      await this.parseAsync(args, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError && error.code === "commander.help")) {
        throw error;
      }
    }
  }

  /** Leaves everything except the command's name to the command. */
  override parseOptions(args: string[]): ParseOptionsResult {
    const word = commandWord(args, this.#globalFlags);
    if (word === undefined) {
      return { ...super.parseOptions(args), operands: [] };
    }
    return { operands: [word], unknown: args.toSpliced(args.indexOf(word), 1) };
  }

  override helpInformation(): string {
    return printProgramHelp(this, this.flags);
  }

  /** Like cobra, answers to stdout where no command is named: help, even if nobody asked for it, or the version. */
  override help(): never {
    if (this.#showsVersion.value && !this.#showsHelp.value) {
      this.configureOutput().writeOut?.(`${this.#version}\n`);
      throw new CommanderError(0, "commander.help", "the version");
    }
    return super.help();
  }

  async #call(command: Command): Promise<void> {
    if (command instanceof CobraCommand) {
      this.#called = command;
      await command.load();
    }
  }

  #asCobraError(error: CommanderError): Error {
    return error.code === "commander.unknownCommand"
      ? new FlagError(this.#unknownCommand(this.args[0] ?? ""), { cause: error })
      : error;
  }

  #unknownCommand(word: string): string {
    const names = this.commands.map((command) => command.name()).filter((name) => name !== "help");
    const suggestions = suggest(word, names).map((name) => `\t${name}\n`);
    const question = suggestions.length === 0 ? "" : `\n\nDid you mean this?\n${suggestions.join("")}`;
    return `unknown command ${quoteGo(word)} for ${quoteGo(this.name())}${question}`;
  }
}
