import {
  createRequirement,
  type LabelOperator,
  type LabelRequirement,
  LabelSelectorError,
} from "./label-requirement.ts";

const operators: Readonly<Record<string, LabelOperator>> = {
  "=": "in",
  "==": "in",
  "!=": "notin",
  in: "in",
  notin: "notin",
  ">": "gt",
  "<": "lt",
};

/**
 * Parses the requirements of a selector in a query, like the API server. Throws LabelSelectorError, whose
 * message names the unexpected word.
 */
export function parseRequirements(text: string): readonly LabelRequirement[] {
  const words = new Words(text);
  const requirements: LabelRequirement[] = [];
  while (words.peek() !== "") {
    requirements.push(parseRequirement(words));
    if (words.peek() !== "") {
      words.expect(",");
      words.requireWord();
    }
  }
  return requirements;
}

function parseRequirement(words: Words): LabelRequirement {
  if (words.peek() === "!") {
    words.expect("!");
    return createRequirement(words.word(), "!", []);
  }
  const key = words.word();
  if (words.peek() === "," || words.peek() === "") {
    return createRequirement(key, "exists", []);
  }
  const sign = words.next();
  const operator = Object.hasOwn(operators, sign) ? operators[sign] : undefined;
  if (operator === undefined) {
    throw new LabelSelectorError(`found ${JSON.stringify(sign)}, expected an operator after ${key}`);
  }
  const isSet = sign === "in" || sign === "notin";
  return createRequirement(key, operator, isSet ? parseSet(words) : [words.optionalWord()]);
}

/** Values in parentheses; nothing between commas is the empty value. */
function parseSet(words: Words): readonly string[] {
  words.expect("(");
  const values = [words.optionalWord()];
  while (words.peek() === ",") {
    words.expect(",");
    values.push(words.optionalWord());
  }
  words.expect(")");
  return [...new Set(values)];
}

/** The words and signs of a selector, one after the other; "" at the end. */
class Words {
  readonly #words: readonly string[];
  #place = 0;

  constructor(text: string) {
    this.#words = text.match(/==|!=|[=!(),<>]|[^=!(),<>\s]+/g) ?? [];
  }

  peek(): string {
    return this.#words[this.#place] ?? "";
  }

  next(): string {
    const word = this.peek();
    this.#place++;
    return word;
  }

  expect(sign: string): void {
    if (this.next() !== sign) {
      throw new LabelSelectorError(
        `found ${JSON.stringify(this.#words[this.#place - 1] ?? "")}, expected ${sign}`,
      );
    }
  }

  /** Throws if no key follows. */
  requireWord(): void {
    if (this.peek() !== "!" && !isWord(this.peek())) {
      throw new LabelSelectorError(`found ${JSON.stringify(this.peek())}, expected a label key`);
    }
  }

  word(): string {
    this.requireWord();
    return this.next();
  }

  optionalWord(): string {
    return isWord(this.peek()) ? this.next() : "";
  }
}

function isWord(word: string): boolean {
  return /^[^=!(),<>]+$/.test(word);
}
