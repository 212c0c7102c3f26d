import { version } from "@weir/base";
import { type Command, refuseArguments } from "../command.ts";

/** `fluxctl version`: which version this is. */
export function versionCommand(): Command {
  return {
    use: "version",
    flags: [],
    run(args, { out }) {
      refuseArguments(args);
      out(`${version}\n`);
      return Promise.resolve();
    },
  };
}
