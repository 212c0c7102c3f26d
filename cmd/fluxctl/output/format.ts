import { UsageError } from "../command.ts";

/** Throws UsageError for an output format that is neither a table nor JSON. */
export function checkOutputFormat(format: string): void {
  if (format !== "tab" && format !== "json") {
    throw new UsageError("invalid output format specified");
  }
}
