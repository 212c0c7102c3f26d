import { AdvisedError } from "@weir/base";

/** A comparison isn't possible; the advice says what to do. */
export class ComparisonError extends AdvisedError {
  override readonly name = "ComparisonError";
}
