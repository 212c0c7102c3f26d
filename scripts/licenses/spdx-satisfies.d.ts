declare module "spdx-satisfies" {
  /** True if one of the licenses fulfils the SPDX expression. Throws if the expression isn't valid. */
  export default function satisfies(expression: string, licenses: readonly string[]): boolean;
}
