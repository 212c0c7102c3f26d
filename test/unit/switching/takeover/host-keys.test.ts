import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MountedVolume } from "../../../../src/switching/running-install/daemon-pod.ts";
import { hostKeyFileOf, hostKeyFinding, sshHostOf } from "../../../../src/switching/takeover/host-keys.ts";
import { daemonPod } from "../../../support/daemon-pod.ts";

function volume(given: Partial<MountedVolume>): MountedVolume {
  return { path: "/root/.ssh", subPath: "", kind: "ConfigMap", name: "ssh", ...given };
}

describe("the SSH host of a git URL", () => {
  for (const [url, host] of [
    ["git@github.com:org/repo", "github.com"],
    ["ssh://git@Git.Example.Test/org/repo", "git.example.test"],
    ["ssh://git@git.example.test:22/org/repo", "git.example.test"],
    ["ssh://git@git.example.test:7999/org/repo", "[git.example.test]:7999"],
    ["git.example.test:org/repo", "git.example.test"],
    ["https://git.example.test/org/repo", undefined],
    ["file:///srv/repo", undefined],
    ["/srv/repo", undefined],
  ] as const) {
    it(`is ${host ?? "none"} for ${url}`, () => {
      assert.equal(sshHostOf(url), host);
    });
  }
});

describe("where a Deployment brings host keys", () => {
  it("is a volume in root's .ssh, or a file in /etc/ssh", () => {
    const [folder, file, other] = [
      volume({}),
      volume({ path: "/etc/ssh/ssh_known_hosts", subPath: "hosts" }),
      volume({ path: "/etc/fluxd/ssh" }),
    ].map((each) => hostKeyFileOf(daemonPod({ volumes: [each] }))?.file);

    assert.deepEqual([folder, file, other], ["known_hosts", "hosts", undefined]);
  });
});

describe("findings about host keys", () => {
  const mounted = { volume: volume({}), file: "known_hosts" };

  it("pass for a host of the image", () => {
    const found = hostKeyFinding({ host: "github.com", mounted: undefined, content: undefined });

    assert.equal(found.verdict, "passed");
  });

  it("fail for a host that neither the image nor a mounted file knows, and say how to get its keys", () => {
    const host = "[git.example.test]:7999";
    const found = [
      hostKeyFinding({ host, mounted: undefined, content: undefined }),
      hostKeyFinding({
        host,
        mounted,
        content: "git.example.test ssh-ed25519 AAAA\n# [git.example.test]:7999\n",
      }),
    ];

    assert.deepEqual(
      found.map(({ verdict, advice }) => [verdict, /ssh-keyscan -p 7999 git\.example\.test/.test(advice)]),
      [
        ["failed", true],
        ["failed", true],
      ],
    );
  });

  for (const line of [
    "git.example.test,192.0.2.1 ssh-ed25519 AAAA",
    "*.example.test ssh-ed25519 AAAA",
    "@cert-authority git.example.test ssh-ed25519 AAAA",
    "|1|c2FsdA==|aGFzaA== ssh-ed25519 AAAA",
  ]) {
    it(`pass for a mounted file with ${line.split(" ")[0]}`, () => {
      const found = hostKeyFinding({ host: "git.example.test", mounted, content: `${line}\n` });

      assert.equal(found.verdict, "passed");
    });
  }

  it("do not count revoked keys", () => {
    const content = "@revoked git.example.test ssh-ed25519 AAAA\n";

    assert.equal(hostKeyFinding({ host: "git.example.test", mounted, content }).verdict, "failed");
  });

  it("are a warning for a Secret, which is not read", () => {
    const secret = { ...mounted, volume: volume({ kind: "Secret", name: "keys" }) };

    const { verdict, found } = hostKeyFinding({
      host: "git.example.test",
      mounted: secret,
      content: undefined,
    });

    assert.deepEqual([verdict, /Secret keys/.test(found)], ["warning", true]);
  });

  it("do not count the image's keys where a volume hides them", () => {
    const hiding = { volume: volume({ path: "/etc/ssh" }), file: "ssh_known_hosts" };

    assert.equal(hostKeyFinding({ host: "github.com", mounted: hiding, content: "" }).verdict, "failed");
  });
});
