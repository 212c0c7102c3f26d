import { messageOf, quoteGo } from "@weir/base";
import type { FlagType } from "./flag-types.ts";

/** A command line cannot be read; the message is pflag's. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/** A flag asks for help that nobody declared, which is no fault. As pflag's ErrHelp. */
export class HelpRequestedError extends FlagError {
  constructor() {
    super("pflag: help requested");
  }
}

/** Unknown flag. */
export class UnknownFlagError extends FlagError {
  /** As it was given, without dashes and value. */
  readonly flag: string;
  /** The long names of those that there are. */
  readonly known: readonly string[];

  constructor(message: string, flag: string, known: readonly string[]) {
    super(message);
    this.flag = flag;
    this.known = known;
  }
}

/** What a flag is called and how help tells of it. */
export interface FlagDeclaration {
  readonly name: string;
  /** One letter. */
  readonly shorthand?: string;
  /** A back-quoted word in it stands for the value in help. */
  readonly usage: string;
  /** The texts that it takes, where there are only some; a shell offers them. */
  readonly values?: readonly string[];
  /** Makes the flag hidden; its use is answered with a warning that ends in this. */
  readonly deprecated?: string;
}

/** A flag of a command line, and the value that it has been given. Made afresh for each command line. */
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

  /** What was given, else the default. */
  get value(): T {
    return this.#value;
  }

  /** True where the flag was given, even with its default. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** Takes one more use of the flag; the first one replaces the default. Throws FlagError. */
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

  /** What help says of the default; undefined where that goes without saying. */
  printDefault(): string | undefined {
    return this.type.printDefault(this.default);
  }
}

/** A flag whatever its values are. */
export type AnyFlag = Pick<Flag<unknown>, "declaration" | "isSet" | "set" | "printDefault"> & {
  readonly type: Pick<FlagType<unknown>, "word" | "bareText">;
};
