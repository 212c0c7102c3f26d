import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isJsonObject, type JsonValue } from "@weir/base";
import { declareFluxdFlags } from "../../../../src/fluxd-flags/flags.ts";
import { exportToFlux2 } from "../../../../src/switching/flux2/export.ts";
import type { Flux2Object } from "../../../../src/switching/flux2/exported-object.ts";
import { exportedInstall, exportedWorkload } from "../../../support/flux2-install.ts";

const url = "--git-url=git@github.com:org/shop";
const automated = exportedWorkload({ policies: { automated: "true" }, tags: ["1", "2"] });

describe("flags become fields", () => {
  const fields: readonly (readonly [flags: string, kind: string, path: string, value: unknown])[] = [
    [url, "GitRepository", "metadata.name", "shop"],
    [url, "GitRepository", "metadata.namespace", "flux-system"],
    [url, "GitRepository", "spec.url", "ssh://git@github.com/org/shop"],
    [url, "GitRepository", "spec.secretRef.name", "shop-git-auth"],
    [url, "GitRepository", "spec.ref.branch", "master"],
    [url, "GitRepository", "spec.timeout", "1m"],
    [url, "GitRepository", "spec.verify", undefined],
    ["--git-url=https://example.com/org/shop", "GitRepository", "spec.secretRef", undefined],
    ["--git-branch=main", "GitRepository", "spec.ref.branch", "main"],
    ["--git-poll-interval=90s", "GitRepository", "spec.interval", "90s"],
    ["--git-poll-interval=0", "GitRepository", "spec.interval", "1s"],
    ["--git-timeout=2h", "GitRepository", "spec.timeout", "120m"],
    ["--git-verify-signatures", "GitRepository", "spec.verify.mode", "HEAD"],
    [
      "--git-verify-signatures-mode=first-parent",
      "GitRepository",
      "spec.verify.secretRef.name",
      "shop-pgp-public-keys",
    ],
    ["--git-verify-signatures-mode=none", "GitRepository", "spec.verify", undefined],
    [url, "Kustomization", "spec.path", "./"],
    [url, "Kustomization", "spec.sourceRef", { kind: "GitRepository", name: "shop" }],
    [url, "Kustomization", "spec.suspend", true],
    [url, "Kustomization", "spec.deletionPolicy", "Orphan"],
    [url, "Kustomization", "spec.prune", false],
    [url, "Kustomization", "spec.targetNamespace", undefined],
    ["--git-path=", "Kustomization", "spec.path", "./"],
    ["--git-path=/a/b/", "Kustomization", "spec.path", "./a/b"],
    ["--git-path=./a", "Kustomization", "spec.path", "./a"],
    ["--sync-garbage-collection", "Kustomization", "spec.prune", true],
    ["--sync-garbage-collection --sync-garbage-collection-dry", "Kustomization", "spec.prune", false],
    ["--sync-interval=3h", "Kustomization", "spec.interval", "3h"],
    ["--sync-timeout=150s", "Kustomization", "spec.timeout", "150s"],
    ["--sops", "Kustomization", "spec.decryption", { provider: "sops" }],
    ["--sops --git-gpg-key-import=/k", "Kustomization", "spec.decryption.secretRef.name", "shop-sops-keys"],
    [url, "ImageRepository", "spec.image", "example.test/org/web"],
    [url, "ImageRepository", "spec.interval", "5m"],
    [url, "ImageRepository", "spec.insecure", undefined],
    ["--automation-interval=10m", "ImageRepository", "spec.interval", "10m"],
    ["--registry-poll-interval=7m", "ImageRepository", "spec.interval", "7m"],
    ["--registry-insecure-host=example.test", "ImageRepository", "spec.insecure", true],
    ["--automation-interval=10m", "ImageUpdateAutomation", "spec.interval", "10m"],
    [
      "--git-user=Bot --git-email=bot@example.com",
      "ImageUpdateAutomation",
      "spec.git.commit.author",
      { name: "Bot", email: "bot@example.com" },
    ],
    ["--git-branch=main", "ImageUpdateAutomation", "spec.git.push.branch", "main"],
    ["--git-branch=main", "ImageUpdateAutomation", "spec.git.checkout.ref.branch", "main"],
    ["--git-path=a", "ImageUpdateAutomation", "spec.update.path", "./a"],
    ["--git-path=a,b", "ImageUpdateAutomation", "spec.update.path", "./"],
    [
      "--git-signing-key=ABC",
      "ImageUpdateAutomation",
      "spec.git.commit.signingKey.secretRef.name",
      "shop-signing-key",
    ],
    ["--git-signing-key=/etc/key", "ImageUpdateAutomation", "spec.git.commit.signingKey", undefined],
    [url, "ImageUpdateAutomation", "spec.suspend", true],
  ];
  for (const [flags, kind, path, value] of fields) {
    it(`${flags}: ${kind} has ${path} ${value === undefined ? "not set" : JSON.stringify(value)}`, () => {
      const object = objectsOf([url, ...flags.split(" ")]).find((each) => each.kind === kind);

      assert.deepEqual(fieldOf(object, path), value);
    });
  }

  it("makes a Kustomization of each git path", () => {
    const paths = objectsOf([url, "--git-path=apps/web,apps-web,infra"])
      .filter(({ kind }) => kind === "Kustomization")
      .map(({ metadata, spec }) => [metadata.name, spec["path"]]);

    assert.deepEqual(paths, [
      ["shop-apps-web", "./apps/web"],
      ["shop-apps-web-2", "./apps-web"],
      ["shop-infra", "./infra"],
    ]);
  });

  for (const [flag, end] of [
    ["--git-ci-skip", "\n\n[ci skip]"],
    ["--git-ci-skip-message=no {{ci}}", 'no {{ "{{" }}ci}}'],
  ] as const) {
    it(`ends the commit message as ${flag} says`, () => {
      const automation = objectsOf([url, flag]).find(({ kind }) => kind === "ImageUpdateAutomation");

      const message = fieldOf(automation, "spec.git.commit.messageTemplate");

      assert.ok(typeof message === "string" && message.endsWith(end), JSON.stringify(message));
    });
  }

  for (const flag of ["--git-readonly", "--registry-disable-scanning"]) {
    it(`pushes nothing with ${flag}`, () => {
      assert.ok(!objectsOf([url, flag]).some(({ kind }) => kind === "ImageUpdateAutomation"));
    });
  }

  it("exports a repository with the URL that is given instead", () => {
    const install = exportedInstall(["--git-url=file:///srv/shop"]);

    const { objects } = exportToFlux2(install, {
      namespace: "gitops",
      gitUrl: "https://example.com/org/flux-system",
    });

    assert.deepEqual(
      objects.map(({ object: { kind, metadata } }) => [kind, metadata.name, metadata.namespace]),
      [
        ["GitRepository", "flux-system-v1", "gitops"],
        ["Kustomization", "flux-system-v1", "gitops"],
      ],
    );
  });
});

describe("flags without a field", () => {
  const told = [
    "--git-readonly",
    "--git-set-author",
    "--git-label=prod",
    "--git-sync-tag=prod",
    "--git-notes-ref=prod",
    "--git-secret",
    "--git-signing-key=/etc/key",
    "--git-verify-signatures-mode=all",
    "--sync-garbage-collection-dry",
    "--sync-state=secret",
    "--manifest-generation=true",
    "--sync-on-drift",
    "--sync-quarantine",
    "--k8s-allow-namespace=a",
    "--k8s-default-namespace=a",
    "--registry-disable-scanning",
    "--registry-ecr-region=eu-west-1",
    "--registry-ecr-include-id=1",
    "--registry-ecr-exclude-id=1",
    "--docker-config=/c",
    "--connect=wss://example.com",
    "--listen-webhooks=:8080",
  ];
  for (const flag of told) {
    it(`${flag} is reported with a reason and a remedy`, () => {
      const subject = flag.replace(/=.*/, "");

      const found = leftOutOf([url, flag]).filter((each) => each.subject === subject);

      assert.deepEqual(
        found.map(({ reason, remedy }) => reason !== "" && remedy !== ""),
        [true],
      );
    });
  }

  it("aren't reported if the chart passes their defaults", () => {
    const defaults = [
      "--git-label=",
      "--git-secret=false",
      "--sync-state=git",
      "--git-readonly=false",
      "--git-set-author=false",
      "--k8s-allow-namespace=",
    ];

    assert.deepEqual(
      leftOutOf([url, ...defaults]).filter(({ subject }) => subject.startsWith("--")),
      [],
    );
  });

  it("never prints the token of --connect", () => {
    const told = JSON.stringify(
      exportToFlux2(exportedInstall([url, "--connect=wss://x.example", "--token=s3cret"]), options),
    );

    assert.doesNotMatch(told, /s3cret/);
  });
});

describe("docs/leaving-for-flux-v2.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/leaving-for-flux-v2.md"), "utf8");
  for (const { declaration } of Object.values(declareFluxdFlags(""))) {
    it(`says what happens to --${declaration.name}`, () => {
      assert.match(page, new RegExp(`\`--${declaration.name}\``));
    });
  }
});

const options = { namespace: "flux-system", gitUrl: "" };

function objectsOf(args: readonly string[]): readonly Flux2Object[] {
  return exportToFlux2(exportedInstall(args, [automated]), options).objects.map(({ object }) => object);
}

function leftOutOf(args: readonly string[]) {
  return exportToFlux2(exportedInstall(args), options).leftOut;
}

function fieldOf(object: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), object);
}
