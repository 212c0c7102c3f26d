import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { parse } from "yaml";
import { fluxctlInstall } from "../support/flux-installs.ts";
import { readTable } from "../support/parity.ts";

interface Recorded {
  readonly documents: readonly string[];
}

const given = { gitUrl: "git@example.test:org/repo", gitEmail: "flux@example.test" };

/** By the options that stand for the arguments of each recording, in their order. */
const installs = [
  fluxctlInstall(given),
  fluxctlInstall({
    ...given,
    gitPaths: ["a", "b"],
    gitBranch: "main",
    gitLabel: "prod",
    gitUser: "Robot",
    namespace: "gitops",
    gitReadonly: true,
    manifestGeneration: true,
    registryDisableScanning: true,
  }),
];

describe("an install as tests build it", () => {
  const recordings = readTable("fluxctl/install.jsonl") as readonly Recorded[];
  for (const [index, { documents }] of recordings.entries()) {
    it(`has the objects that Flux v1's fluxctl install prints: ${index}`, () => {
      const expected = documents.map((text) => parse(text, { version: "1.1" }) as KubeObject);

      const built = installs[index]?.objects ?? [];

      assert.deepEqual(inOrder(built), inOrder(expected));
    });
  }
});

/** As JSON, which has no versions in images, and no order of objects. */
function inOrder(objects: readonly KubeObject[]): readonly unknown[] {
  const text = JSON.stringify(objects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))).replaceAll(
    /(fluxcd\/flux:)[\w.<>-]+/g,
    "$1<version>",
  );
  return JSON.parse(text) as readonly unknown[];
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
