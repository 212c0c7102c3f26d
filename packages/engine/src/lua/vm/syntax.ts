/** The syntax tree of a script, with variables resolved. */

/** A local variable. */
export interface Variable {
  readonly name: string;
  /** Where it is in the frame of its function. */
  readonly slot: number;
  /** True if a function within the scope uses it, so that it lives as long as that function. */
  isCaptured: boolean;
}

/** Where a new function finds a variable of a function around it: in the frame that makes it, or in its own upvalues. */
export type Capture =
  | { readonly kind: "local"; readonly variable: Variable }
  | { readonly kind: "upvalue"; readonly index: number };

/** A function body; the script itself is one, too. */
export interface FunctionBody {
  readonly parameters: readonly Variable[];
  readonly isVariadic: boolean;
  readonly captures: readonly Capture[];
  readonly block: Block;
}

/** Statements, and the index of the statement after each label. */
export interface Block {
  readonly statements: readonly Statement[];
  readonly labels: ReadonlyMap<string, number>;
}

export type UnaryOperator = "-" | "not" | "#";

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^";

export type ComparisonOperator = "==" | "~=" | "<" | "<=" | ">" | ">=";

export type CallExpression =
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | {
      readonly kind: "method";
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    };

/** What can be assigned to. */
export type Place =
  | { readonly kind: "local"; readonly variable: Variable }
  | { readonly kind: "upvalue"; readonly index: number; readonly name: string }
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "index"; readonly object: Expression; readonly key: Expression; readonly line: number };

export type Expression =
  | Place
  | CallExpression
  | { readonly kind: "constant"; readonly value: string | number | boolean | undefined }
  | { readonly kind: "varargs" }
  | { readonly kind: "function"; readonly body: FunctionBody }
  | {
      readonly kind: "unary";
      readonly operator: UnaryOperator;
      readonly operand: Expression;
      readonly line: number;
    }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | {
      readonly kind: "comparison";
      readonly operator: ComparisonOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | { readonly kind: "concat"; readonly operands: readonly Expression[]; readonly line: number }
  | {
      readonly kind: "logical";
      readonly operator: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    }
  /** In parentheses: one value, even if it's a call. */
  | { readonly kind: "single"; readonly inner: Expression }
  | { readonly kind: "table"; readonly items: readonly TableItem[]; readonly line: number };

/** An item of a table; without a key, it gets the next number. */
export interface TableItem {
  readonly key: Expression | undefined;
  readonly value: Expression;
}

export type Statement =
  | {
      readonly kind: "local";
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
    }
  | { readonly kind: "local function"; readonly variable: Variable; readonly body: FunctionBody }
  | { readonly kind: "assignment"; readonly places: readonly Place[]; readonly values: readonly Expression[] }
  | { readonly kind: "call"; readonly call: CallExpression }
  | { readonly kind: "do"; readonly block: Block }
  | { readonly kind: "while"; readonly condition: Expression; readonly block: Block }
  | { readonly kind: "repeat"; readonly block: Block; readonly condition: Expression }
  | {
      readonly kind: "if";
      readonly arms: readonly { readonly condition: Expression; readonly block: Block }[];
      readonly otherwise: Block | undefined;
    }
  | {
      readonly kind: "numeric for";
      readonly variable: Variable;
      readonly from: Expression;
      readonly to: Expression;
      readonly step: Expression | undefined;
      readonly block: Block;
      readonly line: number;
    }
  | {
      readonly kind: "generic for";
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
      readonly block: Block;
      readonly line: number;
    }
  | { readonly kind: "return"; readonly values: readonly Expression[] }
  | { readonly kind: "break" }
  | { readonly kind: "goto"; readonly label: string };
