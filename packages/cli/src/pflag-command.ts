import { Command, Option, type ParseOptionsResult } from "commander";
import type { AnyFlag } from "./flag.ts";
import { canonicalArguments } from "./pflag.ts";

/** A commander command whose arguments follow the grammar of Go's pflag. */
export class PflagCommand extends Command {
  #flags: readonly AnyFlag[] = [];

  /** The flags that the command accepts. */
  get flags(): readonly AnyFlag[] {
    return this.#flags;
  }

  /** Adds flags. Using a deprecated flag prints a warning to stderr. */
  addFlags(flags: readonly AnyFlag[]): this {
    this.#flags = [...this.#flags, ...flags];
    return this;
  }

  /**
   * Rewrites arguments like pflag, and has commander set the flags. Throws FlagError. Commander gets only the
   * flags that are given: creating all options would noticeably slow down the start.
   */
  override parseOptions(args: string[]): ParseOptionsResult {
    const { argv, given, error } = canonicalArguments(args, this.#flags);
    given.forEach((flag) => this.addOption(this.#optionFor(flag)));
    const parsed = super.parseOptions([...argv]);
    if (error) {
      throw error;
    }
    return parsed;
  }

  /** In canonical arguments, each flag has a value. */
  #optionFor(flag: AnyFlag): Option {
    const { name, deprecated } = flag.declaration;
    return new Option(`--${name} <value>`).argParser((text) => {
      flag.set(text);
      if (deprecated !== undefined) {
        this.configureOutput().writeErr?.(`Flag --${name} has been deprecated, ${deprecated}\n`);
      }
    });
  }
}
