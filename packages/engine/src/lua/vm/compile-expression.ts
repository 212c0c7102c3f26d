/** Turns expressions into JavaScript functions. Each charges a step for what it does. */
import type { Cell, Evaluate, EvaluateAll, Frame } from "./frame.ts";
import {
  arithmetic,
  type Context,
  call,
  compute,
  concat,
  equals,
  index,
  isAtMost,
  isLess,
  isTrue,
  lengthOf,
  negate,
  setRaw,
} from "./operations.ts";
import type { CallExpression, ComparisonOperator, Expression, FunctionBody, TableItem } from "./syntax.ts";
import { type LuaFunction, LuaTable, type LuaValue, type Run } from "./value.ts";

/** Compiles a function body; given by the compiler of statements, which needs this one. */
export type CompileFunction = (body: FunctionBody) => (frame: Frame) => LuaFunction;

/** Compiles expressions. */
export class ExpressionCompiler {
  readonly #compileFunction: CompileFunction;

  constructor(compileFunction: CompileFunction) {
    this.#compileFunction = compileFunction;
  }

  /** Code for the first value of an expression; nil if it has none. */
  one(expression: Expression): Evaluate {
    switch (expression.kind) {
      case "constant":
        return () => expression.value;
      case "local":
        return readLocal(expression.variable);
      case "upvalue":
        return ({ upvalues }) => upvalues[expression.index]?.value;
      case "global":
        return this.#global(expression.name);
      case "index":
        return this.#index(expression);
      case "call":
      case "method":
      case "varargs": {
        const all = this.#several(expression);
        return (frame) => all(frame)[0];
      }
      case "function":
        return this.#compileFunction(expression.body);
      case "unary":
        return this.#unary(expression);
      case "arithmetic":
        return this.#arithmetic(expression);
      case "comparison":
        return this.#comparison(expression);
      case "concat":
        return this.#concat(expression);
      case "logical":
        return this.#logical(expression);
      case "single":
        return this.one(expression.inner);
      case "table":
        return this.#table(expression.items);
    }
  }

  /** Code for a list: one value of each expression, and all of the last one. */
  list(expressions: readonly Expression[]): EvaluateAll {
    const last = expressions.at(-1);
    if (last === undefined) {
      return () => [];
    }
    if (!isMulti(last)) {
      const each = expressions.map((expression) => this.one(expression));
      return (frame) => each.map((evaluate) => evaluate(frame));
    }
    const first = expressions.slice(0, -1).map((expression) => this.one(expression));
    const rest = this.#several(last);
    return first.length === 0
      ? rest
      : (frame) => [...first.map((evaluate) => evaluate(frame)), ...rest(frame)];
  }

  /** Code for a call. */
  call(expression: CallExpression): EvaluateAll {
    const { line } = expression;
    const args = this.list(expression.args);
    if (expression.kind === "call") {
      const callee = this.one(expression.callee);
      const name = describe(expression.callee);
      return (frame) => {
        const target = callee(frame);
        const values = args(frame);
        return call(target, values, at(frame.run, line, name));
      };
    }
    const object = this.one(expression.object);
    const owner = describe(expression.object);
    const name = ` (method '${expression.name}')`;
    return (frame) => {
      const self = object(frame);
      const target = index(self, expression.name, at(frame.run, line, owner));
      const values = [self, ...args(frame)];
      return call(target, values, at(frame.run, line, name));
    };
  }

  #several(expression: Expression): EvaluateAll {
    switch (expression.kind) {
      case "call":
      case "method":
        return this.call(expression);
      case "varargs":
        return ({ varargs, run }) => {
          run.budget.step(1 + varargs.length);
          return varargs;
        };
      default: {
        const one = this.one(expression);
        return (frame) => [one(frame)];
      }
    }
  }

  #global(name: string): Evaluate {
    return ({ globals, run }) => {
      run.budget.step();
      return globals.get(name);
    };
  }

  #index({ object, key, line }: Expression & { readonly kind: "index" }): Evaluate {
    const holder = this.one(object);
    const which = this.one(key);
    const name = describe(object);
    return (frame) => {
      const value = holder(frame);
      return index(value, which(frame), at(frame.run, line, name));
    };
  }

  #unary({ operator, operand, line }: Expression & { readonly kind: "unary" }): Evaluate {
    const value = this.one(operand);
    const name = describe(operand);
    return (frame) => {
      const given = value(frame);
      const context = at(frame.run, line, name);
      switch (operator) {
        case "not":
          return !isTrue(given);
        case "-":
          return negate(given, context);
        case "#":
          return lengthOf(given, context);
      }
    };
  }

  #arithmetic({ operator, left, right, line }: Expression & { readonly kind: "arithmetic" }): Evaluate {
    const [first, second] = [this.one(left), this.one(right)];
    const names = [describe(left), describe(right)] as const;
    return (frame) => {
      const [a, b] = [first(frame), second(frame)];
      const { run } = at(frame.run, line, "");
      return typeof a === "number" && typeof b === "number"
        ? compute(operator, a, b)
        : arithmetic(operator, [a, b], { run, names });
    };
  }

  #comparison({ operator, left, right, line }: Expression & { readonly kind: "comparison" }): Evaluate {
    const [first, second] = [this.one(left), this.one(right)];
    const compare = comparisons[operator];
    return (frame) => {
      const [a, b] = [first(frame), second(frame)];
      return compare(a, b, at(frame.run, line, "").run);
    };
  }

  #concat({ operands, line }: Expression & { readonly kind: "concat" }): Evaluate {
    const parts = operands.map((operand) => this.one(operand));
    return (frame) => {
      const values = parts.map((part) => part(frame));
      frame.run.budget.step(values.length);
      return concat(values, at(frame.run, line, "").run);
    };
  }

  #logical({ operator, left, right }: Expression & { readonly kind: "logical" }): Evaluate {
    const [first, second] = [this.one(left), this.one(right)];
    return (frame) => {
      frame.run.budget.step();
      const value = first(frame);
      return isTrue(value) === (operator === "and") ? second(frame) : value;
    };
  }

  #table(items: readonly TableItem[]): Evaluate {
    const last = items.at(-1);
    const rest =
      last?.key === undefined && last && isMulti(last.value) ? this.#several(last.value) : undefined;
    const fields = (rest === undefined ? items : items.slice(0, -1)).map(({ key, value }) => ({
      key: key && this.one(key),
      value: this.one(value),
    }));
    return (frame) => {
      const { run } = frame;
      const table = new LuaTable(run.budget);
      run.budget.step(1 + fields.length);
      let next = 1;
      for (const { key, value } of fields) {
        if (key === undefined) {
          table.set(next, value(frame), run.budget);
          next += 1;
        } else {
          setRaw(table, [key(frame), value(frame)], run);
        }
      }
      for (const value of rest?.(frame) ?? []) {
        table.set(next, value, run.budget);
        next += 1;
      }
      return table;
    };
  }
}

const comparisons: Readonly<Record<ComparisonOperator, (a: LuaValue, b: LuaValue, run: Run) => boolean>> = {
  "==": equals,
  "~=": (a, b, run) => !equals(a, b, run),
  "<": isLess,
  "<=": isAtMost,
  ">": (a, b, run) => isLess(b, a, run),
  ">=": (a, b, run) => isAtMost(b, a, run),
};

/** Charges a step, and notes the line for errors. */
function at(run: Run, line: number, name: string): Context {
  run.budget.step();
  run.line = line;
  return { run, name };
}

function readLocal(variable: { readonly slot: number; readonly isCaptured: boolean }): Evaluate {
  const { slot } = variable;
  return variable.isCaptured
    ? ({ slots }) => (slots[slot] as Cell).value
    : ({ slots }) => slots[slot] as LuaValue;
}

function isMulti({ kind }: Expression): boolean {
  return kind === "call" || kind === "method" || kind === "varargs";
}

/** What an expression is called in errors. */
export function describe(expression: Expression): string {
  switch (expression.kind) {
    case "local":
      return ` (local '${expression.variable.name}')`;
    case "upvalue":
    case "global":
      return ` (${expression.kind} '${expression.name}')`;
    case "index":
      return expression.key.kind === "constant" && typeof expression.key.value === "string"
        ? ` (field '${expression.key.value}')`
        : "";
    case "method":
      return ` (method '${expression.name}')`;
    default:
      return "";
  }
}
