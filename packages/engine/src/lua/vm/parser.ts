import { ExpressionParser } from "./expression-parser.ts";
import { FunctionScope } from "./scope.ts";
import type { Block, Expression, FunctionBody, Place, Statement, Variable } from "./syntax.ts";
import { TokenReader } from "./token-reader.ts";

/** Parses a script, given as bytes (see LuaValue); throws LuaSyntaxError. */
export function parseLua(source: string): FunctionBody {
  const reader = new TokenReader(source);
  const parser = new Parser(reader);
  const body = parser.script();
  if (reader.token.kind !== "end") {
    throw reader.unexpected("'<eof>' expected");
  }
  return body;
}

/** Which keywords end a block. */
const ends: readonly string[] = ["end", "else", "elseif", "until"];

class Parser {
  readonly #reader: TokenReader;
  readonly #expressions: ExpressionParser;
  #scope = new FunctionScope(undefined, true);

  constructor(reader: TokenReader) {
    this.#reader = reader;
    this.#expressions = new ExpressionParser(reader, {
      resolve: (name) => this.#scope.resolve(name),
      functionBody: () => this.#functionBody([]),
      isVariadic: () => this.#scope.isVariadic,
    });
  }

  script(): FunctionBody {
    return { parameters: [], isVariadic: true, captures: [], block: this.#block(false) };
  }

  #block(isLoop: boolean, names: readonly string[] = [], declared?: (variables: Variable[]) => void): Block {
    return this.#reader.nested(() => {
      this.#scope.open(isLoop);
      declared?.(names.map((name) => this.#declare(name)));
      this.#statements();
      return this.#scope.close();
    });
  }

  #statements(): void {
    while (!this.#isAtEnd()) {
      const isLast = this.#reader.is("return");
      this.#statement();
      this.#reader.accept(";");
      if (isLast) {
        break;
      }
    }
  }

  #isAtEnd(): boolean {
    return this.#reader.token.kind === "end" || ends.some((end) => this.#reader.is(end));
  }

  #declare(name: string): Variable {
    return this.#scope.declare(name, this.#reader.token.line);
  }

  #statement(): void {
    const reader = this.#reader;
    const { line } = reader.token;
    if (reader.accept(";")) {
      return;
    }
    if (reader.accept("::")) {
      this.#label(line);
    } else if (reader.accept("goto")) {
      this.#scope.goto(reader.name(), line);
    } else if (reader.accept("local")) {
      this.#local();
    } else {
      this.#scope.add(this.#reader.nested(() => this.#plainStatement(line)));
    }
  }

  #plainStatement(line: number): Statement {
    const reader = this.#reader;
    switch (reader.token.kind === "keyword" ? reader.token.text : "") {
      case "if":
        return this.#if();
      case "while":
        return this.#while();
      case "do":
        return this.#do();
      case "for":
        return this.#for(line);
      case "repeat":
        return this.#repeat();
      case "function":
        return this.#function(line);
      case "return":
        reader.take();
        return { kind: "return", values: this.#isAtEnd() || reader.is(";") ? [] : this.#expressions.list() };
      case "break":
        reader.take();
        if (!this.#scope.isInLoop) {
          throw reader.unexpected("no loop to break");
        }
        return { kind: "break" };
      default:
        return this.#callOrAssignment();
    }
  }

  #label(line: number): void {
    const name = this.#reader.name();
    this.#reader.expect("::");
    while (this.#reader.accept(";")) {
      // Empty statements don't count.
    }
    // What follows in a repeat block is its condition, which sees the block's variables.
    this.#scope.label(name, line, this.#isAtEnd() && !this.#reader.is("until"));
  }

  #local(): void {
    const reader = this.#reader;
    if (reader.accept("function")) {
      // Declared first, so that the function can call itself.
      const variable = this.#declare(reader.name());
      this.#scope.add({ kind: "local function", variable, body: this.#functionBody([]) });
      return;
    }
    const names = this.#names();
    const values = reader.accept("=") ? this.#expressions.list() : [];
    this.#scope.add({ kind: "local", variables: names.map((name) => this.#declare(name)), values });
  }

  #names(): readonly string[] {
    const names = [this.#reader.name()];
    while (this.#reader.accept(",")) {
      names.push(this.#reader.name());
    }
    return names;
  }

  #if(): Statement {
    const reader = this.#reader;
    const arms: { condition: Expression; block: Block }[] = [];
    do {
      reader.take();
      const condition = this.#expressions.one();
      reader.expect("then");
      arms.push({ condition, block: this.#block(false) });
    } while (reader.is("elseif"));
    const otherwise = reader.accept("else") ? this.#block(false) : undefined;
    reader.expect("end");
    return { kind: "if", arms, otherwise };
  }

  #while(): Statement {
    this.#reader.take();
    const condition = this.#expressions.one();
    this.#reader.expect("do");
    const block = this.#block(true);
    this.#reader.expect("end");
    return { kind: "while", condition, block };
  }

  #do(): Statement {
    this.#reader.take();
    const block = this.#block(false);
    this.#reader.expect("end");
    return { kind: "do", block };
  }

  #repeat(): Statement {
    this.#reader.take();
    this.#scope.open(true);
    this.#statements();
    this.#reader.expect("until");
    const condition = this.#expressions.one();
    return { kind: "repeat", block: this.#scope.close(), condition };
  }

  #for(line: number): Statement {
    const reader = this.#reader;
    reader.take();
    const names = this.#names();
    if (names.length === 1 && reader.accept("=")) {
      return this.#numericFor(names, line);
    }
    reader.expect("in");
    const values = this.#expressions.list();
    const { variables, block } = this.#forBlock(names);
    return { kind: "generic for", variables, values, block, line };
  }

  #numericFor(names: readonly string[], line: number): Statement {
    const reader = this.#reader;
    const from = this.#expressions.one();
    reader.expect(",");
    const to = this.#expressions.one();
    const step = reader.accept(",") ? this.#expressions.one() : undefined;
    const { variables, block } = this.#forBlock(names);
    const [variable] = variables;
    if (variable === undefined) {
      throw reader.unexpected("<name> expected");
    }
    return { kind: "numeric for", variable, from, to, step, block, line };
  }

  #forBlock(names: readonly string[]): { readonly variables: readonly Variable[]; readonly block: Block } {
    this.#reader.expect("do");
    let variables: readonly Variable[] = [];
    const block = this.#block(true, names, (declared) => {
      variables = declared;
    });
    this.#reader.expect("end");
    return { variables, block };
  }

  /** `function a.b:c() … end`, which is an assignment. */
  #function(line: number): Statement {
    const reader = this.#reader;
    reader.take();
    let place: Place = this.#scope.resolve(reader.name());
    while (reader.is(".") || reader.is(":")) {
      const isMethod = reader.take().text === ":";
      place = { kind: "index", object: place, key: { kind: "constant", value: reader.name() }, line };
      if (isMethod) {
        return {
          kind: "assignment",
          places: [place],
          values: [{ kind: "function", body: this.#functionBody(["self"]) }],
        };
      }
    }
    const body = this.#functionBody([]);
    return { kind: "assignment", places: [place], values: [{ kind: "function", body }] };
  }

  #functionBody(first: readonly string[]): FunctionBody {
    const reader = this.#reader;
    const { names, isVariadic } = this.#parameters();
    const outer = this.#scope;
    const scope = new FunctionScope(outer, isVariadic);
    this.#scope = scope;
    let parameters: readonly Variable[] = [];
    const block = this.#block(false, [...first, ...names], (declared) => {
      parameters = declared;
    });
    this.#scope = outer;
    reader.expect("end");
    return { parameters, isVariadic, captures: scope.captures, block };
  }

  #parameters(): { readonly names: readonly string[]; readonly isVariadic: boolean } {
    const reader = this.#reader;
    const names: string[] = [];
    reader.expect("(");
    let isVariadic = reader.accept("...");
    if (!isVariadic && !reader.is(")")) {
      names.push(reader.name());
    }
    while (!isVariadic && reader.accept(",")) {
      isVariadic = reader.accept("...");
      if (!isVariadic) {
        names.push(reader.name());
      }
    }
    reader.expect(")");
    return { names, isVariadic };
  }

  #callOrAssignment(): Statement {
    const reader = this.#reader;
    const first = this.#expressions.suffixed();
    if (first.kind === "call" || first.kind === "method") {
      return { kind: "call", call: first };
    }
    const places = [this.#place(first)];
    while (reader.accept(",")) {
      places.push(this.#place(this.#expressions.suffixed()));
    }
    reader.expect("=");
    return { kind: "assignment", places, values: this.#expressions.list() };
  }

  #place(expression: Expression): Place {
    switch (expression.kind) {
      case "local":
      case "upvalue":
      case "global":
      case "index":
        return expression;
      default:
        throw this.#reader.unexpected("syntax error");
    }
  }
}
