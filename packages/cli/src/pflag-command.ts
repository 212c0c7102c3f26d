import { Command, Option, type ParseOptionsResult } from "commander";
import type { AnyFlag } from "./flag.ts";
import { canonicalArguments } from "./pflag.ts";

/** A command on commander's tree whose arguments follow the grammar of Go's pflag. */
export class PflagCommand extends Command {
  #flags: readonly AnyFlag[] = [];

  /** The flags that it takes. */
  get flags(): readonly AnyFlag[] {
    return this.#flags;
  }

  /** Adds flags. Each use of one that is deprecated is answered with a warning on stderr. */
  addFlags(flags: readonly AnyFlag[]): this {
    this.#flags = [...this.#flags, ...flags];
    return this;
  }

  /**
   * Rewrites arguments as pflag reads them, and has commander set the flags. Throws FlagError. Commander is told of
   * those alone that are given: an option takes it so long to make that all of them would show in how fast we start.
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

  /** In canonical arguments each flag has a value. */
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
