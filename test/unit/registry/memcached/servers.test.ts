import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printAddress, serverOf, sortServers } from "../../../../src/registry/memcached/servers.ts";
import { searchedNames } from "../../../../src/registry/memcached/srv.ts";

const at = (host: string): { host: string; port: number } => ({ host, port: 11211 });

describe("the server of a key", () => {
  const servers = [at("a"), at("b"), at("c")];

  it("is the one that Flux would choose: by CRC-32, of which this is the check value", () => {
    assert.equal(serverOf("123456789", servers), servers[0xcbf43926 % 3]);
  });

  it("is the only one where there is one, and none where there is none", () => {
    assert.deepEqual(serverOf("x", [at("a")]), at("a"));
    assert.equal(serverOf("x", []), undefined);
  });
});

describe("servers", () => {
  it("are ordered as Go orders what DNS tells, where names end with a dot", () => {
    const sorted = sortServers([at("a1"), at("a"), at("a-b"), { host: "a", port: 9 }]);

    assert.deepEqual(sorted.map(printAddress), ["a-b:11211", "a:11211", "a:9", "a1:11211"]);
  });
});

describe("searchedNames", () => {
  const pod = "search flux.svc.cluster.local svc.cluster.local\nnameserver 10.0.0.10\noptions ndots:5\n";

  it("goes through the search domains first where the name has few dots", () => {
    assert.deepEqual(searchedNames("_memcached._tcp.memcached", pod), [
      "_memcached._tcp.memcached.flux.svc.cluster.local",
      "_memcached._tcp.memcached.svc.cluster.local",
      "_memcached._tcp.memcached",
    ]);
  });

  it("takes the name as it is first where it has many", () => {
    assert.deepEqual(searchedNames("_m._tcp.m", "search example.com\n"), [
      "_m._tcp.m",
      "_m._tcp.m.example.com",
    ]);
    assert.deepEqual(searchedNames("_m._tcp.m", ""), ["_m._tcp.m"]);
  });

  it("takes only the name where it is a full one", () => {
    assert.deepEqual(searchedNames("_m._tcp.m.example.com.", pod), ["_m._tcp.m.example.com"]);
  });
});
