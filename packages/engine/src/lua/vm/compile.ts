/** Turns a script into JavaScript functions, which can run any number of times. */
import { describe, ExpressionCompiler } from "./compile-expression.ts";
import type { Cell, Evaluate, EvaluateAll, Frame } from "./frame.ts";
import { call, errorAt, isTrue, setIndex, toNumber } from "./operations.ts";
import { parseLua } from "./parser.ts";
import type { Block, Capture, FunctionBody, Place, Statement, Variable } from "./syntax.ts";
import { LuaFunction, type LuaTable, type LuaValue, type Run } from "./value.ts";

/** Where execution goes on after a statement, if not at the next one. */
type Jump =
  | { readonly kind: "break" }
  | { readonly kind: "goto"; readonly label: string }
  | { readonly kind: "return"; readonly values: readonly LuaValue[] };

type Execute = (frame: Frame) => Jump | undefined;

/** Makes the function that runs a script with these globals. */
export type Chunk = (globals: LuaTable, run: Run) => LuaFunction;

/** Compiles a script, given as bytes (see LuaValue); throws LuaSyntaxError. */
export function compileLua(source: string): Chunk {
  const make = new Compiler().function(parseLua(source));
  return (globals, run) => make({ globals, run, slots: [], upvalues: [], varargs: [] });
}

const bytesOfFunction = 128;

class Compiler {
  readonly #expressions = new ExpressionCompiler((body) => this.function(body));

  function(body: FunctionBody): (frame: Frame) => LuaFunction {
    const { parameters, isVariadic, captures } = body;
    const run = this.#block(body.block);
    return (outer) => {
      outer.run.budget.allocate(bytesOfFunction + 16 * captures.length);
      const upvalues = captures.map((capture) => captured(capture, outer));
      return new LuaFunction((args, current) => {
        const varargs = isVariadic ? args.slice(parameters.length) : [];
        const frame: Frame = { run: current, globals: outer.globals, slots: [], upvalues, varargs };
        parameters.forEach((parameter, at) => declare(frame, parameter, args[at]));
        const jump = run(frame);
        return jump?.kind === "return" ? jump.values : [];
      });
    };
  }

  #block({ statements, labels }: Block): Execute {
    const each = statements.map((statement) => this.#statement(statement));
    return (frame) => {
      for (let at = 0; at < each.length; at += 1) {
        frame.run.budget.step();
        const jump = each[at]?.(frame);
        const target = jump?.kind === "goto" ? labels.get(jump.label) : undefined;
        if (target !== undefined) {
          at = target - 1;
        } else if (jump !== undefined) {
          return jump;
        }
      }
      return undefined;
    };
  }

  #statement(statement: Statement): Execute {
    switch (statement.kind) {
      case "local":
        return this.#local(statement);
      case "local function":
        return this.#localFunction(statement);
      case "assignment":
        return this.#assignment(statement);
      case "call": {
        const perform = this.#expressions.call(statement.call);
        return (frame) => void perform(frame);
      }
      case "do":
        return this.#block(statement.block);
      case "while":
        return this.#while(statement);
      case "repeat":
        return this.#repeat(statement);
      case "if":
        return this.#if(statement);
      case "numeric for":
        return this.#numericFor(statement);
      case "generic for":
        return this.#genericFor(statement);
      case "return": {
        const values = this.#expressions.list(statement.values);
        return (frame) => ({ kind: "return", values: values(frame) });
      }
      case "break":
      case "goto":
        return () => statement;
    }
  }

  #local({ variables, values }: Statement & { readonly kind: "local" }): Execute {
    const evaluate = this.#expressions.list(values);
    return (frame) => {
      const given = evaluate(frame);
      frame.run.budget.step(variables.length);
      variables.forEach((variable, at) => declare(frame, variable, given[at]));
      return undefined;
    };
  }

  #localFunction({ variable, body }: Statement & { readonly kind: "local function" }): Execute {
    const make = this.function(body);
    return (frame) => {
      declare(frame, variable, undefined);
      write(frame, variable, make(frame));
      return undefined;
    };
  }

  #assignment({ places, values }: Statement & { readonly kind: "assignment" }): Execute {
    const evaluate = this.#expressions.list(values);
    const targets = places.map((place) => this.#place(place));
    return (frame) => {
      // All places and values are evaluated before anything is assigned.
      const assigns = targets.map((target) => target(frame));
      const given = evaluate(frame);
      frame.run.budget.step(assigns.length);
      assigns.forEach((assign, at) => assign(given[at]));
      return undefined;
    };
  }

  #place(place: Place): (frame: Frame) => (value: LuaValue) => void {
    switch (place.kind) {
      case "local":
        return (frame) => (value) => write(frame, place.variable, value);
      case "upvalue":
        return ({ upvalues }) =>
          (value) => {
            const cell = upvalues[place.index];
            if (cell !== undefined) {
              cell.value = value;
            }
          };
      case "global":
        return ({ globals, run }) =>
          (value) =>
            globals.set(place.name, value, run.budget);
      case "index": {
        const object = this.#expressions.one(place.object);
        const key = this.#expressions.one(place.key);
        const name = describe(place.object);
        return (frame) => {
          const [holder, which] = [object(frame), key(frame)];
          const { run } = frame;
          return (value) => {
            run.line = place.line;
            setIndex(holder, [which, value], { run, name });
          };
        };
      }
    }
  }

  #while({ condition, block }: Statement & { readonly kind: "while" }): Execute {
    const test = this.#expressions.one(condition);
    const body = this.#block(block);
    return (frame) => {
      while (isTrue(test(frame))) {
        frame.run.budget.step();
        const jump = body(frame);
        if (jump !== undefined) {
          return afterLoop(jump);
        }
      }
      return undefined;
    };
  }

  #repeat({ block, condition }: Statement & { readonly kind: "repeat" }): Execute {
    const body = this.#block(block);
    const test = this.#expressions.one(condition);
    return (frame) => {
      do {
        frame.run.budget.step();
        const jump = body(frame);
        if (jump !== undefined) {
          return afterLoop(jump);
        }
      } while (!isTrue(test(frame)));
      return undefined;
    };
  }

  #if({ arms, otherwise }: Statement & { readonly kind: "if" }): Execute {
    const tests = arms.map(({ condition, block }) => ({
      test: this.#expressions.one(condition),
      body: this.#block(block),
    }));
    const last = otherwise && this.#block(otherwise);
    return (frame) => {
      for (const { test, body } of tests) {
        frame.run.budget.step();
        if (isTrue(test(frame))) {
          return body(frame);
        }
      }
      return last?.(frame);
    };
  }

  #numericFor(loop: Statement & { readonly kind: "numeric for" }): Execute {
    const bounds = this.#bounds(loop);
    const body = this.#block(loop.block);
    return (frame) => {
      const [from, to, step] = bounds(frame);
      for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
        frame.run.budget.step();
        declare(frame, loop.variable, value);
        const jump = body(frame);
        if (jump !== undefined) {
          return afterLoop(jump);
        }
      }
      return undefined;
    };
  }

  #bounds({
    from,
    to,
    step,
    line,
  }: Statement & { readonly kind: "numeric for" }): (frame: Frame) => readonly [number, number, number] {
    const [first, last] = [this.#expressions.one(from), this.#expressions.one(to)];
    const by: Evaluate = step === undefined ? () => 1 : this.#expressions.one(step);
    return (frame) => {
      const [start, limit, each] = [first(frame), last(frame), by(frame)];
      frame.run.line = line;
      return [
        bound(start, "initial value", frame.run),
        bound(limit, "limit", frame.run),
        bound(each, "step", frame.run),
      ];
    };
  }

  #genericFor({ variables, values, block, line }: Statement & { readonly kind: "generic for" }): Execute {
    const evaluate: EvaluateAll = this.#expressions.list(values);
    const body = this.#block(block);
    return (frame) => {
      const { run } = frame;
      const [next, state, initial] = evaluate(frame);
      for (let control = initial; ; ) {
        run.line = line;
        const given = call(next, [state, control], { run, name: " (the iterator of a loop)" });
        control = given[0];
        if (control === undefined) {
          return undefined;
        }
        run.budget.step(variables.length);
        variables.forEach((variable, at) => declare(frame, variable, given[at]));
        const jump = body(frame);
        if (jump !== undefined) {
          return afterLoop(jump);
        }
      }
    };
  }
}

function afterLoop(jump: Jump): Jump | undefined {
  return jump.kind === "break" ? undefined : jump;
}

function bound(value: LuaValue, what: string, run: Run): number {
  const number = toNumber(value, run);
  if (number === undefined) {
    throw errorAt(run, `'for' ${what} must be a number`);
  }
  return number;
}

/** Gives a variable its first value. Functions that captured an earlier one, such as in a loop, keep that. */
function declare(frame: Frame, { slot, isCaptured }: Variable, value: LuaValue): void {
  frame.slots[slot] = isCaptured ? { value } : value;
}

function write(frame: Frame, { slot, isCaptured }: Variable, value: LuaValue): void {
  if (isCaptured) {
    (frame.slots[slot] as Cell).value = value;
  } else {
    frame.slots[slot] = value;
  }
}

function captured(capture: Capture, frame: Frame): Cell {
  const cell = capture.kind === "local" ? frame.slots[capture.variable.slot] : frame.upvalues[capture.index];
  return cell as Cell;
}
