import { messageOf, quoteGo } from "@weir/base";
import type { FlagType } from "./flag-types.ts";

/** The command line is invalid; the message is pflag's. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/** An undeclared help flag was given, which isn't a mistake. Same as pflag's ErrHelp. */
export class HelpRequestedError extends FlagError {
  constructor() {
    super("pflag: help requested");
  }
}

/** The command line contains a flag that isn't declared. */
export class UnknownFlagError extends FlagError {
  /** The flag as given, without dashes and value. */
  readonly flag: string;
  /** The long names of the declared flags. */
  readonly known: readonly string[];

  constructor(message: string, flag: string, known: readonly string[]) {
    super(message);
    this.flag = flag;
    this.known = known;
  }
}

/** The name of a flag, and its help text. */
export interface FlagDeclaration {
  readonly name: string;
  /** A single letter. */
  readonly shorthand?: string;
  /** Another letter for the same flag, which help doesn't list. */
  readonly otherShorthand?: string;
  /** In help, a back-quoted word in it stands for the value. */
  readonly usage: string;
  /** The allowed values, if only some are allowed; shell completion offers them. */
  readonly values?: readonly string[];
  /** Hides the flag in help. Using the flag prints a warning that ends with this text. */
  readonly deprecated?: string;
}

/** A flag of a command line and the value that it was given. Create new flags for each command line. */
export class Flag<T> {
  readonly declaration: FlagDeclaration;
  readonly type: FlagType<T>;
  readonly default: T;
  #value: T;
  #isSet = false;

  constructor(type: FlagType<T>, declaration: FlagDeclaration, defaultValue: T) {
    this.type = type;
    this.declaration = declaration;
    this.default = defaultValue;
    this.#value = defaultValue;
  }

  /** The given value, or else the default. */
  get value(): T {
    return this.#value;
  }

  /** True if the flag was given, even with its default value. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** Applies one use of the flag; the first one replaces the default. Throws FlagError. */
  set(text: string): void {
    try {
      this.#value = this.type.parse(text, this.#isSet ? this.#value : undefined);
    } catch (error) {
      const { name, shorthand } = this.declaration;
      const shown = shorthand === undefined ? `--${name}` : `-${shorthand}, --${name}`;
      throw new FlagError(
        `invalid argument ${quoteGo(text)} for ${quoteGo(shown)} flag: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
    this.#isSet = true;
  }

  /** The default as help prints it; undefined if help omits it. */
  printDefault(): string | undefined {
    return this.type.printDefault(this.default);
  }
}

/** A flag with values of any type. */
export type AnyFlag = Pick<Flag<unknown>, "declaration" | "isSet" | "set" | "printDefault"> & {
  readonly type: Pick<FlagType<unknown>, "word" | "bareText">;
};
