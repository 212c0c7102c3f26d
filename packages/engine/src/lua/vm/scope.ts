import { LuaSyntaxError } from "./lexer.ts";
import type { Block, Capture, Expression, Statement, Variable } from "./syntax.ts";

interface PendingGoto {
  readonly label: string;
  readonly line: number;
  /** How many variables are visible at it. */
  visible: number;
}

interface Label {
  readonly statement: number;
  readonly visible: number;
}

/** A block that is being parsed. */
interface OpenBlock {
  readonly statements: Statement[];
  readonly labels: Map<string, Label>;
  readonly gotos: PendingGoto[];
  /** How many variables are visible at its start. */
  readonly visible: number;
  readonly isLoop: boolean;
}

/** Lua's own limits; they keep frames small. */
const mostVariables = 200;
const mostUpvalues = 60;

/** The variables, blocks, and labels of a function that is being parsed. */
export class FunctionScope {
  readonly isVariadic: boolean;
  readonly captures: Capture[] = [];
  readonly #outer: FunctionScope | undefined;
  readonly #variables: Variable[] = [];
  readonly #blocks: OpenBlock[] = [];
  readonly #upvalues = new Map<Variable, number>();

  constructor(outer: FunctionScope | undefined, isVariadic: boolean) {
    this.#outer = outer;
    this.isVariadic = isVariadic;
  }

  /** True within a loop. */
  get isInLoop(): boolean {
    return this.#blocks.some(({ isLoop }) => isLoop);
  }

  /** Begins a block; its variables are visible until it is closed. */
  open(isLoop: boolean): void {
    this.#blocks.push({
      statements: [],
      labels: new Map(),
      gotos: [],
      visible: this.#variables.length,
      isLoop,
    });
  }

  /** Makes a variable visible from here to the end of the block. */
  declare(name: string, line: number): Variable {
    if (this.#variables.length === mostVariables) {
      throw new LuaSyntaxError(line, `a function has more than ${mostVariables} local variables`);
    }
    const variable = { name, slot: this.#variables.length, isCaptured: false };
    this.#variables.push(variable);
    return variable;
  }

  add(statement: Statement): void {
    this.#block.statements.push(statement);
  }

  /** Puts a label before the next statement. One at the end of a block can be reached from everywhere in it. */
  label(name: string, line: number, isLast: boolean): void {
    const { labels, statements, visible } = this.#block;
    if (this.#blocks.some((block) => block.labels.has(name))) {
      throw new LuaSyntaxError(line, `label '${name}' already defined`);
    }
    labels.set(name, {
      statement: statements.length,
      visible: isLast ? visible : this.#variables.length,
    });
  }

  goto(label: string, line: number): void {
    this.#block.gotos.push({ label, line, visible: this.#variables.length });
    this.add({ kind: "goto", label });
  }

  /** Ends the innermost block. */
  close(): Block {
    const { statements, labels, gotos, visible } = this.#block;
    this.#blocks.pop();
    this.#variables.length = visible;
    for (const each of gotos) {
      const label = labels.get(each.label);
      if (label === undefined) {
        this.#leave(each, visible);
      } else if (label.visible > each.visible) {
        throw new LuaSyntaxError(each.line, `goto '${each.label}' jumps into the scope of a local variable`);
      }
    }
    const positions = [...labels].map(([name, { statement }]) => [name, statement] as const);
    return { statements, labels: new Map(positions) };
  }

  /** What a name means here. */
  resolve(name: string): Expression & { readonly kind: "local" | "upvalue" | "global" } {
    const variable = this.#find(name);
    if (variable !== undefined) {
      return { kind: "local", variable };
    }
    const owner = this.#ownerOf(name);
    return owner === undefined
      ? { kind: "global", name }
      : { kind: "upvalue", index: this.#capture(owner), name };
  }

  get #block(): OpenBlock {
    const block = this.#blocks.at(-1);
    if (block === undefined) {
      throw new Error("a function without a block");
    }
    return block;
  }

  #leave(pending: PendingGoto, visible: number): void {
    const outer = this.#blocks.at(-1);
    if (outer === undefined) {
      throw new LuaSyntaxError(pending.line, `no visible label '${pending.label}' for goto`);
    }
    outer.gotos.push({ ...pending, visible: Math.min(pending.visible, visible) });
  }

  #find(name: string): Variable | undefined {
    return this.#variables.findLast((variable) => variable.name === name);
  }

  /** The variable of a function around this one. */
  #ownerOf(name: string): Variable | undefined {
    return this.#outer && (this.#outer.#find(name) ?? this.#outer.#ownerOf(name));
  }

  /** The index at which this function finds a variable of a function around it. */
  #capture(variable: Variable): number {
    const known = this.#upvalues.get(variable);
    if (known !== undefined) {
      return known;
    }
    const outer = this.#outer;
    variable.isCaptured = true;
    const capture: Capture =
      outer === undefined || outer.#variables.includes(variable)
        ? { kind: "local", variable }
        : { kind: "upvalue", index: outer.#capture(variable) };
    if (this.captures.length === mostUpvalues) {
      throw new LuaSyntaxError(
        0,
        `a function uses more than ${mostUpvalues} variables of functions around it`,
      );
    }
    this.#upvalues.set(variable, this.captures.length);
    this.captures.push(capture);
    return this.captures.length - 1;
  }
}
