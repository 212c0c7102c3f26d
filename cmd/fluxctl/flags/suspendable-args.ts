import { type Suspendable, suspendable } from "@weir/flux/api";
import { choiceOf } from "./choice.ts";

/** What the arguments of `suspend` and `resume` name; everything if there are none. Throws UsageError. */
export function suspendableOf(args: readonly string[]): readonly Suspendable[] {
  return args.length === 0
    ? suspendable
    : [...new Set(args.map((arg) => choiceOf(suspendable, arg, "thing to suspend")))];
}
