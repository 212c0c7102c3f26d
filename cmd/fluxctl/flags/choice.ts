import { UsageError } from "../command.ts";

/** The known value that was given. Throws UsageError for another one; `what` says in words what it stands for. */
export function choiceOf<T extends string>(known: readonly T[], given: string, what: string): T {
  const found = known.find((each) => each === given);
  if (found === undefined) {
    throw new UsageError(`unknown ${what} ${JSON.stringify(given)}: use ${known.join(" or ")}`);
  }
  return found;
}
