import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { fc, runs } from "@weir/testing/property";
import { changeBody, policiesBody, updateBody } from "./support/generators/api-bodies.ts";
import { ListeningApi } from "./support/listening-api.ts";
import { readChange, readPolicyUpdates, readUpdateSpec } from "./support/model/update-spec.ts";

describe("the API takes a body that Flux takes, as Flux takes it, and refuses what Flux refuses:", () => {
  const server = new ListeningApi();
  before(() => server.start());
  after(() => server.stop());

  const routes = [
    {
      what: "an update",
      method: "POST",
      path: "/v9/update-manifests",
      bodies: updateBody,
      read: readUpdateSpec,
    },
    { what: "a notice", method: "POST", path: "/v11/notify", bodies: changeBody, read: readChange },
    {
      what: "policies",
      method: "PATCH",
      path: "/v6/policies",
      bodies: policiesBody,
      read: policiesOfUnknown,
    },
  ] as const;

  for (const { what, method, path, bodies, read } of routes) {
    it(what, async () => {
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const answer = await server.call(method, path, JSON.stringify(body));

          const expected = read(body);
          const called = expected === undefined ? [] : [expected];
          assert.deepEqual(
            { taken: answer.status < 300, called: answer.called },
            { taken: called.length > 0, called },
          );
        }),
        runs(500),
      );
    });
  }
});

/** A change of policies of which nobody says who asks for it. */
function policiesOfUnknown(body: JsonValue): JsonValue | undefined {
  const spec = readPolicyUpdates(body);
  return spec === undefined ? undefined : { type: "policy", cause: { Message: "", User: "" }, spec };
}
