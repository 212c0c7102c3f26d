import { AdvisedError } from "@weir/base";

/** The installation can't be found or read; the advice says what to do. */
export class RunningInstallError extends AdvisedError {
  override readonly name = "RunningInstallError";
}
