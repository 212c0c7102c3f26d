/** A template: text and expressions in braces, in order. */
export type Template = readonly Part[];

/** A piece of a template. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly path: Path }
  /** `{range PATH}…{end}`: prints the body for each result of the path. */
  | { readonly kind: "range"; readonly path: Path; readonly body: Template };

/** Steps from the current values to others; each step applies to all results of the one before it. */
export type Path = readonly Step[];

/** Where a step begins in the template, counted from 1. */
interface Placed {
  readonly position: number;
}

/** A step of a path. */
export type Step =
  | { readonly kind: "field"; readonly name: string }
  /** `.*` */
  | { readonly kind: "children" }
  /** `..` */
  | { readonly kind: "descend" }
  | SliceStep
  | { readonly kind: "union"; readonly paths: readonly Path[] }
  | FilterStep
  /** A quoted string: replaces all values. */
  | { readonly kind: "text"; readonly text: string }
  /** A number or a boolean: replaces each value. */
  | { readonly kind: "constant"; readonly value: number | boolean };

/** `[from:to:step]`, or `[index]`. Negative positions count from the end. */
export interface SliceStep extends Placed {
  readonly kind: "slice";
  readonly from: number;
  /** undefined: to the end of the list. */
  readonly to: number | undefined;
  readonly step: number;
  /** True for `[index]`. */
  readonly isIndex: boolean;
}

/** `[?(left operator right)]`, or `[?(left)]` for items in which the left path finds something. */
export interface FilterStep extends Placed {
  readonly kind: "filter";
  readonly left: Path;
  readonly comparison: { readonly operator: Operator; readonly right: Path } | undefined;
}

/** The operators of filters. */
export const operators = ["==", "!=", "<", "<=", ">", ">="] as const;

/** An operator of a filter. */
export type Operator = (typeof operators)[number];
