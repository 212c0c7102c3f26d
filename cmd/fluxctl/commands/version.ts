import { version } from "@weir/base";
import { type Command, refuseArguments } from "../command.ts";

/** `fluxctl version`: prints the version of fluxctl. */
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
