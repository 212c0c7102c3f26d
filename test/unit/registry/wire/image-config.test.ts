import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireError } from "@weir/http";
import {
  parseDockerConfiguration,
  parseOciConfiguration,
  parseVersion1Layer,
} from "../../../../src/registry/wire/image-config.ts";

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const created = "org.opencontainers.image.created";
const buildDate = "org.label-schema.build-date";

describe("the configuration of an image", () => {
  it("tells when it was made, and the labels of what it was built from", () => {
    const config = {
      created: "2020-01-01T00:00:00Z",
      container_config: {
        Labels: { [created]: "2019-01-01T00:00:00Z", [buildDate]: "2018-01-01T00:00:00Z" },
      },
      config: { Labels: { [created]: "2000-01-01T00:00:00Z" } },
    };

    assert.deepEqual(parseDockerConfiguration(bytes(config)), {
      createdAt: "2020-01-01T00:00:00Z",
      labels: { created: "2019-01-01T00:00:00Z", buildDate: "2018-01-01T00:00:00Z" },
      badLabels: [],
    });
  });

  it("has no labels in a Docker image that only its own configuration names, as in Flux", () => {
    const config = { config: { Labels: { [created]: "2000-01-01T00:00:00Z" } } };

    assert.deepEqual(parseDockerConfiguration(bytes(config))?.labels, {});
  });

  it("leaves out labels that are no time, and names them", () => {
    const config = { container_config: { Labels: { [created]: "yesterday", [buildDate]: "2018-01-01" } } };

    assert.deepEqual(parseDockerConfiguration(bytes(config)), {
      labels: {},
      badLabels: [buildDate, created],
    });
  });

  for (const time of ["0001-01-01T00:00:00Z", null]) {
    it(`does not say when it was made with ${JSON.stringify(time)}`, () => {
      assert.deepEqual(parseDockerConfiguration(bytes({ created: time })), { labels: {}, badLabels: [] });
    });
  }

  it("has labels of its own in an OCI image, and its manifest's annotations behind them", () => {
    const config = { config: { Labels: { [created]: "2019-01-01T00:00:00Z" } } };
    const annotations = { [created]: "2018-01-01T00:00:00Z", [buildDate]: "2017-01-01T00:00:00Z" };

    assert.deepEqual(parseOciConfiguration(bytes(config), annotations)?.labels, {
      created: "2019-01-01T00:00:00Z",
      buildDate: "2017-01-01T00:00:00Z",
    });
  });

  it("is a layer with an ID in schema 1", () => {
    const layer = {
      id: "abc",
      created: "2015-01-01T00:00:00Z",
      config: { Labels: { [created]: "2014-01-01T00:00:00Z" } },
    };

    assert.deepEqual(parseVersion1Layer(JSON.stringify(layer)), {
      id: "abc",
      createdAt: "2015-01-01T00:00:00Z",
      labels: { created: "2014-01-01T00:00:00Z" },
      badLabels: [],
    });
  });

  for (const [what, config] of [
    ["a time that is none", { created: "never" }],
    ["an empty time", { created: "" }],
    ["a number for a time", { created: 5 }],
    ["an architecture that is no text", { architecture: ["amd64"] }],
    ["an operating system that is no text", { os: {} }],
    ["a list for a configuration", []],
  ] as const) {
    it(`does not make sense with ${what}, as in Flux v1`, () => {
      assert.equal(parseDockerConfiguration(bytes(config)), undefined);
      assert.equal(parseOciConfiguration(bytes(config), {}), undefined);
      assert.throws(() => parseVersion1Layer(JSON.stringify(config)), WireError);
    });
  }

  it("does not make sense where it is no JSON", () => {
    assert.equal(parseDockerConfiguration(Buffer.from("not JSON")), undefined);
  });
});
