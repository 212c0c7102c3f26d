import { AdvisedError } from "@weir/base";

/** The daemon's pod can't be reached; the message is Flux v1's. */
export class ForwardError extends AdvisedError {
  override readonly name = "ForwardError";
}
