import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { type Inspection, inspectionRoutes, type RouteRequest } from "@weir/flux/api";
import { createInspector } from "../../../../src/api/server/inspector.ts";
import { standInInspection } from "../../../support/inspection-stand-in.ts";

const { signal } = new AbortController();

describe("a request that arrived over another way than HTTP", () => {
  it("reaches every route except the export", async () => {
    const inspect = inspector({ status: () => Promise.reject(new FluxError("user", "reached", "")) });
    const answers = await Promise.all(
      Object.values(inspectionRoutes).map(async (route) => {
        const [method] = route.methods;
        const answer = await inspect({ method, path: route.path, query: { subject: "x", images: "" } });
        return answer instanceof FluxError && answer.message === "API endpoint not found" ? route.name : [];
      }),
    );

    assert.deepEqual(answers.flat(), ["ExportEverything"]);
  });

  it("has the answer that HTTP would have, or null for none", async () => {
    const inspect = inspector({ treeChanged: () => Promise.resolve(false) });

    assert.deepEqual(await inspect({ path: "/v12/suspensions" }), []);
    assert.equal(await inspect({ path: "/v12/tree", query: { after: "8" } }), null);
  });

  const refused: readonly (readonly [what: string, request: Partial<RouteRequest>, message: string])[] = [
    ["to a route of Flux", { path: "/v11/ping" }, "API endpoint not found"],
    ["to no route", { path: "" }, "API endpoint not found"],
    ["with another method", { method: "POST", path: "/v12/status" }, "API endpoint not found"],
    ["without a parameter", { path: "/v12/why" }, "API endpoint not found"],
    [
      "with a wrong parameter",
      { path: "/v12/events", query: { after: "x" } },
      'parsing after "x": expected a whole number',
    ],
    [
      "with a wrong body",
      { method: "POST", path: "/v12/suspend", body: 7 },
      "the document should be an object, not a number",
    ],
    [
      "with a body that is too long",
      { method: "POST", path: "/v12/suspend", body: { reason: "x".repeat(70_000) } },
      "the request body is larger than 65536 bytes",
    ],
    ["that fails", { path: "/v12/status" }, "no cluster"],
  ];
  for (const [what, request, message] of refused) {
    it(`${what} has the error that HTTP would have`, async () => {
      const inspect = inspector({ status: () => Promise.reject(new Error("no cluster")) });

      const error = await inspect(request);

      assert.ok(error instanceof FluxError);
      assert.equal(error.message, message);
      assert.notEqual(error.advice, "");
    });
  }
});

/** Resolves to the answer, or to the error. */
function inspector(answers: Partial<Inspection>): (request: Partial<RouteRequest>) => Promise<unknown> {
  const inspect = createInspector(standInInspection(answers));
  return (request) =>
    inspect({ method: "GET", path: "", query: {}, body: null, ...request }, signal).catch(
      (error: unknown) => error,
    );
}
