import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toHttpRequest } from "../../../src/client/http-request.ts";

const setting = {
  server: "https://host:6443/base/",
  userAgent: "weir/1",
  identity: { Authorization: "Bearer t" },
};

describe("toHttpRequest", () => {
  it("puts the server's path first, and encodes the query", () => {
    const query = { labelSelector: "a=b,c in (d)", limit: "5" };

    const { target } = toHttpRequest({ method: "GET", path: "/api/v1/pods", query }, setting, false);

    assert.equal(target, "/base/api/v1/pods?labelSelector=a%3Db%2Cc+in+%28d%29&limit=5");
  });

  it("has no question mark without a query", () => {
    assert.equal(toHttpRequest({ method: "GET", path: "/x", query: {} }, setting, false).target, "/base/x");
    assert.equal(toHttpRequest({ method: "GET", path: "/x" }, setting, true).target, "/base/x");
  });

  it("says who asks and what is accepted", () => {
    const request = toHttpRequest({ method: "GET", path: "/x", accept: "text/plain" }, setting, true);

    assert.deepEqual(request, {
      method: "GET",
      target: "/base/x",
      headers: { Authorization: "Bearer t", Accept: "text/plain", "User-Agent": "weir/1" },
      longLived: true,
    });
  });

  it("measures a body in bytes", () => {
    const request = toHttpRequest({ method: "POST", path: "/x", body: { name: "größe" } }, setting, false);

    assert.deepEqual(
      [request.body, request.headers["Content-Length"], request.headers["Content-Type"]],
      ['{"name":"größe"}', "18", "application/json"],
    );
  });
});
