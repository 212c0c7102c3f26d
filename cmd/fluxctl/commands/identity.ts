import { bool, flagsOf } from "@weir/cli";
import type { PublicSshKey } from "@weir/flux";
import { type Command, refuseArguments } from "../command.ts";

/** `fluxctl identity`: prints the public SSH key with which the daemon accesses git. */
export function identityCommand(): Command {
  const flags = declareFlags();
  return {
    use: "identity",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const client = await context.connect();
      const { publicSshKey } = await client.gitRepoConfig(flags.regenerate.value, context.signal);
      context.out(printIdentity(publicSshKey, flags.fingerprint.value, flags.visual.value));
    },
  };
}

function declareFlags() {
  return {
    regenerate: bool("regenerate", { usage: "Generate a new identity", shorthand: "r" }),
    fingerprint: bool("fingerprint", { usage: "Show fingerprint of public key", shorthand: "l" }),
    visual: bool("visual", {
      usage: "Show ASCII art representation with fingerprint (implies -l)",
      shorthand: "v",
    }),
  };
}

/** As Flux v1: prints the MD5 fingerprint, and an empty line if there is no key. */
function printIdentity({ key, fingerprints }: PublicSshKey, fingerprint: boolean, visual: boolean): string {
  if (!fingerprint && !visual) {
    return key;
  }
  const { hash, randomart } = fingerprints?.["md5"] ?? { hash: "", randomart: "" };
  return `${hash}\n${visual ? randomart : ""}`;
}
