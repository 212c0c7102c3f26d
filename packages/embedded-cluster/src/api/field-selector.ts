import { badRequestError } from "../status-errors.ts";

/** One term: a field must, or must not, have a value. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** All terms must hold; none selects everything. */
export type FieldSelector = readonly FieldTerm[];

/** Reads "status.phase=Running,metadata.name!=x". Throws KubeApiError (400). */
export function parseFieldSelector(text: string): FieldSelector {
  return splitTerms(text).map((term) => parseTerm(text, term));
}

/** True where the fields of an object meet all terms. */
export function selectsFields(selector: FieldSelector, fields: Readonly<Record<string, string>>): boolean {
  return selector.every(({ field, equal, value }) => (fields[field] === value) === equal);
}

/** The value that the selector demands of a field, or undefined. */
export function demanded(selector: FieldSelector, field: string): string | undefined {
  return selector.find((term) => term.field === field && term.equal)?.value;
}

/** Commas part terms, unless a backslash stands before them. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") {
      at++;
    } else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)].filter((term) => term !== "");
}

function parseTerm(selector: string, term: string): FieldTerm {
  const at = term.search(/!=|==|=/);
  if (at < 0) {
    throw badRequestError(`invalid selector: '${selector}'; can't understand '${term}'`);
  }
  const operator = term.slice(at, at + 2) === "!=" ? "!=" : term.slice(at, at + 2) === "==" ? "==" : "=";
  const value = term.slice(at + operator.length).replaceAll(/\\([\\,=])/g, "$1");
  return { field: term.slice(0, at), equal: operator !== "!=", value };
}
