import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ClientAddresses, networkOf } from "../../../src/access/client-address.ts";
import { pathBack } from "../../../src/access/openid/back.ts";
import { OpenIdProvider } from "../../../src/access/openid/provider.ts";

describe("the address of a client", () => {
  const trusted = ["10.0.0.0/8", "2001:db8::/32"];
  const cases: readonly (readonly [string, string, string | undefined, readonly string[], string])[] = [
    ["is that of the connection", "192.0.2.1", undefined, trusted, "192.0.2.1"],
    ["isn't what others say", "192.0.2.1", "203.0.113.1", trusted, "192.0.2.1"],
    ["is what a proxy says", "10.1.2.3", "203.0.113.1", trusted, "203.0.113.1"],
    [
      "is the last that no proxy has",
      "10.1.2.3",
      "1.1.1.1, 203.0.113.1, 2001:db8::1",
      trusted,
      "203.0.113.1",
    ],
    ["is that of a proxy that says nothing", "10.1.2.3", undefined, trusted, "10.1.2.3"],
    ["is that of a proxy that says nonsense", "10.1.2.3", "<b>, unknown", trusted, "10.1.2.3"],
    ["is IPv4 where the server listens on both", "::ffff:10.1.2.3", "::ffff:192.0.2.1", trusted, "192.0.2.1"],
    ["is what nobody says without trusted proxies", "10.1.2.3", "192.0.2.1", [], "10.1.2.3"],
  ];
  for (const [what, remoteAddress, forwarded, proxies, expected] of cases) {
    it(what, () => {
      const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
      assert.equal(new ClientAddresses(proxies).of({ socket: { remoteAddress }, headers }), expected);
    });
  }

  it("is behind proxies that are given as addresses or ranges", () => {
    for (const proxy of ["", "10.0.0.0/33", "10.0.0.0/x", "proxy.example.com", "::/129"]) {
      assert.throws(() => new ClientAddresses([proxy]), { name: "TrustedProxyError" });
    }
  });

  it("counts with all of its network where a client has many", () => {
    assert.equal(networkOf("192.0.2.1"), "192.0.2.1");
    assert.equal(networkOf("2001:DB8::1"), "2001:db8:0:0::/64");
    assert.equal(networkOf("2001:db8:0:0:1:2:3:4"), "2001:db8:0:0::/64");
    assert.equal(networkOf("::1"), "0:0:0:0::/64");
    assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
  });
});

describe("an identity provider", () => {
  it("is reached over TLS", () => {
    const issuer = new URL("http://id.example.com");
    const options = { issuer, clientId: "c", name: "n", groupsClaim: "groups", scopes: [], confirmedFor: 1 };
    assert.throws(() => new OpenIdProvider(options, issuer), { name: "OpenIdOptionsError" });
  });
});

describe("the way back after a login", () => {
  const site = new URL("https://console.example.com");
  const cases: readonly (readonly [string | null, string])[] = [
    ["/instances/a?q=x%2Fy", "/instances/a?q=x%2Fy"],
    ["/instances#secret", "/instances"],
    [null, "/"],
    ["", "/"],
    ["instances", "/"],
    ["https://evil.example.com/", "/"],
    ["//evil.example.com/", "/"],
    ["/\\evil.example.com/", "/"],
    ["/\t/evil.example.com/", "/"],
    ["/x/..//evil.example.com", "/"],
    ["/.//evil.example.com", "/"],
    ["javascript:alert(1)", "/"],
    ["/api/console/v1/session", "/"],
    ["/auth/openid/start", "/"],
    [`/${"x".repeat(3_000)}`, "/"],
  ];
  for (const [wanted, expected] of cases) {
    it(`is ${expected} for ${String(wanted).slice(0, 40)}`, () => {
      assert.equal(pathBack(wanted, site), expected);
    });
  }
});
