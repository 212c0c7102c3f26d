import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { oldReleaseQuery, type Query, servicesQuery } from "./support/generators/api-queries.ts";
import { ListeningApi } from "./support/listening-api.ts";
import { type Read, readOldRelease, readServices } from "./support/model/api-queries.ts";

describe("the API", () => {
  const server = new ListeningApi();
  before(() => server.start());
  after(() => server.stop());

  async function check(method: string, path: string, query: Query, expected: Read): Promise<void> {
    const parameters = new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]));

    const answer = await server.call(method, `${path}?${parameters.toString()}`);

    assert.deepEqual(
      answer,
      "refused" in expected
        ? { status: 400, called: [], text: expected.refused }
        : { status: 200, called: [expected.asked], text: "" },
    );
  }

  it("takes a question for workloads that Flux takes, and refuses others in the same words", async () => {
    await fc.assert(
      fc.asyncProperty(servicesQuery, (query) => check("GET", "/v11/services", query, readServices(query))),
      runs(300),
    );
  });

  it("takes a release of old clients that Flux takes, and refuses others in the same words", async () => {
    await fc.assert(
      fc.asyncProperty(oldReleaseQuery, (query) =>
        check("POST", "/v6/update-images", query, readOldRelease(query)),
      ),
      runs(300),
    );
  });
});
