import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError } from "@weir/base";
import {
  coverAllError,
  decodeFluxError,
  deprecatedEndpointError,
  encodeFluxError,
  UnknownEndpointError,
  unauthorizedError,
  unknownEndpointError,
} from "../../../src/api/errors.ts";
import { FluxError } from "../../../src/errors/flux-error.ts";

describe("an error of the API as JSON", () => {
  for (const kind of ["server", "missing", "user"] as const) {
    it(`keeps its kind ${kind}, both ways`, () => {
      const json = { type: kind, help: "Try again.\n", error: "it broke" };
      const decoded = decodeFluxError(json);

      assert.deepEqual(encodeFluxError(new FluxError(kind, "it broke", "Try again.\n")), json);
      assert.deepEqual(
        [decoded?.kind, decoded?.message, decoded?.advice],
        [kind, "it broke", "Try again.\n"],
      );
    });
  }

  it("of an endpoint that the server does not know is a class of its own, both ways", () => {
    const json = encodeFluxError(unknownEndpointError("/v12/x"));

    assert.ok(decodeFluxError(json) instanceof UnknownEndpointError);
    assert.equal(
      decodeFluxError({ ...json, error: "no such workload" }) instanceof UnknownEndpointError,
      false,
    );
    assert.equal(decodeFluxError({ ...json, type: "user" }) instanceof UnknownEndpointError, false);
  });

  it("is none without a message, and so written", () => {
    assert.equal(decodeFluxError({ kind: "Status", message: "from a proxy" }), undefined);
    assert.deepEqual(encodeFluxError(new FluxError("user", "", "h")), { type: "user", help: "h" });
  });

  it("is refused where a field is of the wrong type", () => {
    assert.throws(() => decodeFluxError({ error: 1 }), JsonShapeError);
  });
});

describe("the errors that every server has", () => {
  it("are the caller's fault or about what is missing", () => {
    const errors = [
      coverAllError(new Error("e")),
      unauthorizedError(),
      deprecatedEndpointError(),
      unknownEndpointError("/v99/x"),
    ];

    assert.deepEqual(
      errors.map(({ kind, message }) => [kind, message]),
      [
        ["user", "e"],
        ["user", "request failed authentication"],
        ["missing", "API endpoint deprecated"],
        ["missing", "API endpoint not found"],
      ],
    );
  });

  it("repeat in their help what they are about", () => {
    const cause = new Error("resource name may not be empty");

    const covered = coverAllError(cause);

    assert.match(covered.advice, /^Error: resource name may not be empty\n\nWe don't have a specific help/);
    assert.equal(covered.cause, cause);
    assert.match(unknownEndpointError("/v99/x").advice, /\n {4}\/v99\/x\n$/);
  });
});
