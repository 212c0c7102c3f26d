import { AdvisedError } from "@weir/base";

/** The switch can't be checked; the advice says what to do. */
export class TakeoverError extends AdvisedError {
  override readonly name = "TakeoverError";
}
