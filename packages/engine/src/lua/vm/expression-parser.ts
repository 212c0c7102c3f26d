import { parseNumber } from "./number.ts";
import type {
  ArithmeticOperator,
  CallExpression,
  ComparisonOperator,
  Expression,
  FunctionBody,
  TableItem,
  UnaryOperator,
} from "./syntax.ts";
import type { TokenReader } from "./token-reader.ts";

/** What an expression needs from the function around it. */
export interface ExpressionScope {
  resolve(name: string): Expression;
  functionBody(): FunctionBody;
  isVariadic(): boolean;
}

/** How strongly operators bind to the left and to the right. */
const strengths: Readonly<Record<string, readonly [number, number]>> = {
  or: [1, 1],
  and: [2, 2],
  "<": [3, 3],
  ">": [3, 3],
  "<=": [3, 3],
  ">=": [3, 3],
  "~=": [3, 3],
  "==": [3, 3],
  "..": [5, 4],
  "+": [6, 6],
  "-": [6, 6],
  "*": [7, 7],
  "/": [7, 7],
  "%": [7, 7],
  "^": [10, 9],
};
const unaryStrength = 8;
const unary: readonly UnaryOperator[] = ["-", "not", "#"];
const comparisons: ReadonlySet<string> = new Set<ComparisonOperator>(["==", "~=", "<", "<=", ">", ">="]);

const literals: ReadonlyMap<string, boolean | undefined> = new Map([
  ["nil", undefined],
  ["true", true],
  ["false", false],
]);

/** Parses expressions; throws LuaSyntaxError. */
export class ExpressionParser {
  readonly #reader: TokenReader;
  readonly #scope: ExpressionScope;

  constructor(reader: TokenReader, scope: ExpressionScope) {
    this.#reader = reader;
    this.#scope = scope;
  }

  /** One or more, separated by commas. */
  list(): readonly Expression[] {
    const expressions = [this.one()];
    while (this.#reader.accept(",")) {
      expressions.push(this.one());
    }
    return expressions;
  }

  /** An expression with operators that bind more strongly than the limit. */
  one(limit = 0): Expression {
    return this.#reader.nested(() => {
      let left = this.#operand();
      for (;;) {
        const { text: operator, line, kind } = this.#reader.token;
        const [strength, right] =
          kind === "symbol" || kind === "keyword" ? (strengths[operator] ?? [0, 0]) : [0, 0];
        if (strength <= limit) {
          return left;
        }
        this.#reader.take();
        left = binary(operator, line, [left, this.one(right)]);
      }
    });
  }

  /** A name or parenthesis with indices and calls behind it. */
  suffixed(): Expression {
    const reader = this.#reader;
    let expression = this.#primary();
    for (;;) {
      const { line } = reader.token;
      if (reader.accept(".")) {
        expression = {
          kind: "index",
          object: expression,
          key: { kind: "constant", value: reader.name() },
          line,
        };
      } else if (reader.accept("[")) {
        expression = { kind: "index", object: expression, key: this.one(), line };
        reader.expect("]");
      } else if (reader.accept(":")) {
        expression = { kind: "method", object: expression, name: reader.name(), args: this.#args(), line };
      } else if (this.#isCall()) {
        expression = { kind: "call", callee: expression, args: this.#args(), line } satisfies CallExpression;
      } else {
        return expression;
      }
    }
  }

  #operand(): Expression {
    const { line, text } = this.#reader.token;
    const operator = unary.find((each) => this.#reader.is(each));
    if (operator === undefined) {
      return this.#simple();
    }
    this.#reader.take();
    const operand = this.one(unaryStrength);
    if (text === "-" && operand.kind === "constant" && typeof operand.value === "number") {
      return { kind: "constant", value: -operand.value };
    }
    return { kind: "unary", operator, operand, line };
  }

  #simple(): Expression {
    const reader = this.#reader;
    const { kind, text } = reader.token;
    if (kind === "string") {
      return { kind: "constant", value: reader.take().text };
    }
    if (kind === "number") {
      return { kind: "constant", value: parseNumber(reader.take().text) };
    }
    if (kind === "name" || reader.is("(")) {
      return this.suffixed();
    }
    if (reader.is("{")) {
      return this.#table();
    }
    if (reader.accept("function")) {
      return { kind: "function", body: this.#scope.functionBody() };
    }
    if (kind === "keyword" && literals.has(text)) {
      reader.take();
      return { kind: "constant", value: literals.get(text) };
    }
    if (!reader.is("...")) {
      throw reader.unexpected("unexpected symbol");
    }
    if (!this.#scope.isVariadic()) {
      throw reader.unexpected("cannot use '...' outside a vararg function");
    }
    reader.take();
    return { kind: "varargs" };
  }

  #primary(): Expression {
    const reader = this.#reader;
    if (reader.accept("(")) {
      const inner = this.one();
      reader.expect(")");
      return { kind: "single", inner };
    }
    if (reader.token.kind !== "name") {
      throw reader.unexpected("unexpected symbol");
    }
    return this.#scope.resolve(reader.name());
  }

  #isCall(): boolean {
    const { token } = this.#reader;
    return this.#reader.is("(") || this.#reader.is("{") || token.kind === "string";
  }

  #args(): readonly Expression[] {
    const reader = this.#reader;
    if (reader.token.kind === "string") {
      return [{ kind: "constant", value: reader.take().text }];
    }
    if (reader.is("{")) {
      return [this.#table()];
    }
    reader.expect("(");
    const args = reader.is(")") ? [] : this.list();
    reader.expect(")");
    return args;
  }

  #table(): Expression {
    const reader = this.#reader;
    const { line } = reader.token;
    const items: TableItem[] = [];
    reader.expect("{");
    while (!reader.is("}")) {
      items.push(this.#item());
      if (!reader.accept(",") && !reader.accept(";")) {
        break;
      }
    }
    reader.expect("}");
    return { kind: "table", items, line };
  }

  #item(): TableItem {
    const reader = this.#reader;
    if (reader.accept("[")) {
      const key = this.one();
      reader.expect("]");
      reader.expect("=");
      return { key, value: this.one() };
    }
    const next = reader.token.kind === "name" ? reader.peek() : undefined;
    if (next?.kind === "symbol" && next.text === "=") {
      const key: Expression = { kind: "constant", value: reader.name() };
      reader.expect("=");
      return { key, value: this.one() };
    }
    return { key: undefined, value: this.one() };
  }
}

function binary(
  operator: string,
  line: number,
  [left, right]: readonly [Expression, Expression],
): Expression {
  if (operator === "and" || operator === "or") {
    return { kind: "logical", operator, left, right };
  }
  if (operator === "..") {
    // It binds to the right, so that a chain is one operation, without a copy for each part.
    const rest = right.kind === "concat" ? right.operands : [right];
    return { kind: "concat", operands: [left, ...rest], line };
  }
  return comparisons.has(operator)
    ? { kind: "comparison", operator: operator as ComparisonOperator, left, right, line }
    : { kind: "arithmetic", operator: operator as ArithmeticOperator, left, right, line };
}
