import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { knownHosts, tidyHost } from "../../../../src/api/server/known-hosts.ts";

const resolvConf = `nameserver 10.96.0.10
search team-flux.svc.k8s.example.com svc.k8s.example.com k8s.example.com example.com
options ndots:5
`;

describe("the hosts by which a browser may ask", () => {
  const hosts = knownHosts(["Flux.Example.com"], resolvConf);

  for (const host of [
    "localhost",
    "localhost:3030",
    "LOCALHOST:3030",
    "localhost.:3030",
    "flux.localhost:3030",
    "127.0.0.1",
    "127.0.0.1:3030",
    "127.8.8.8:80",
    "[::1]",
    "[::1]:3030",
    "[FE80::A:1]:3030",
    "::1",
    "10.244.0.7:3030",
    "flux",
    "flux-7b9c6-x2x4z:3030",
    "flux.team-flux.svc",
    "flux.team-flux.svc.k8s.example.com:3030",
    "Flux.Team-Flux.SVC.K8s.Example.com.:3030",
    "flux.example.com",
    "FLUX.example.COM.:8443",
  ]) {
    it(`include ${host}`, () => {
      assert.equal(hosts.isOurs(host), true);
    });
  }

  for (const host of [
    "",
    ":3030",
    "evil.example",
    "evil.example:3030",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io:3030",
    "evil.flux.example.com",
    "flux.example.com.evil.example",
    // Anybody may have a domain that begins so, or one that is called as a namespace.
    "flux.team-flux.svc.evil.example",
    "flux.team-flux",
    "flux.dev",
    // Of others in the same cluster, who can lead it where they like.
    "flux.other.svc.k8s.example.com",
    "k8s.example.com",
    "evil.example.com",
    "flux@evil.example",
    "flux/evil.example",
    "[::1].evil.example",
    "evil.example]",
  ]) {
    it(`do not include ${JSON.stringify(host)}`, () => {
      assert.equal(hosts.isOurs(host), false);
    });
  }

  it("are told from those that were listed", () => {
    const listed = ["flux.example.com:8443", "localhost", "10.0.0.1", "flux"].filter(hosts.isListed);

    assert.deepEqual(listed, ["flux.example.com:8443"]);
  });

  it("hold nothing of a cluster outside of one", () => {
    const { isOurs } = knownHosts([], "search corp.example.com svc.example.com\n");

    assert.deepEqual(["flux.flux.svc", "a.corp.example.com", "a.svc.example.com", "localhost"].map(isOurs), [
      false,
      false,
      false,
      true,
    ]);
  });
});

describe("tidyHost", () => {
  for (const [host, tidy] of [
    ["A.Example.", "a.example"],
    ["a.example.:80", "a.example"],
    ["a.example:", "a.example"],
    ["[::1]:80", "::1"],
    ["fe80::a:1", "fe80::a:1"],
    [" a.example ", "a.example"],
  ] as const) {
    it(`reads ${JSON.stringify(host)}`, () => {
      assert.equal(tidyHost(host), tidy);
    });
  }
});
