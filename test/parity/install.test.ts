import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flagsOf, parseArguments } from "@weir/cli";
import { declareInstallFlags } from "../../cmd/fluxctl/install/flags.ts";
import { installFiles } from "../../cmd/fluxctl/install/manifests.ts";
import { parametersOf } from "../../cmd/fluxctl/install/options.ts";
import { ownImageRepository } from "../../src/own-image/own-image.ts";
import { readTable } from "../support/parity.ts";

interface Recorded {
  readonly args: readonly string[];
  /** In the order of their text, since Flux v1 prints them in any; with a placeholder for the version. */
  readonly documents: readonly string[];
}

/** Weir's image is the only difference. */
function withFluxImage(document: string): string {
  const name = ownImageRepository.replace("docker.io/", "");
  return document
    .replaceAll(name, "fluxcd/flux")
    .replace(/(image: docker\.io\/fluxcd\/flux:)[\w.-]+/, "$1<version>");
}

describe("the documents of fluxctl install", () => {
  for (const { args, documents } of readTable("fluxctl/install.jsonl") as readonly Recorded[]) {
    it(`are for "${args.join(" ")}" those of Flux v1`, () => {
      const flags = declareInstallFlags();
      const { error } = parseArguments(args, flagsOf(flags));
      assert.equal(error, undefined);

      const files = installFiles(parametersOf(flags, flags.namespace.value || "default"));

      const text = files.map(({ content }) => content).join("");
      const printed = text.split(/^(?=---$)/m).map((each) => `${each.trimEnd()}\n`);
      assert.deepEqual(printed.toSorted().map(withFluxImage), documents);
    });
  }
});
