import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject } from "@weir/base";
import { fc, runs } from "@weir/testing/property";
import { KubeApiError } from "../../../src/api-status.ts";
import { parseCredential, parseExecPlugin } from "../../../src/client/exec-plugin.ts";
import { KubeConfigError } from "../../../src/client/kube-config-file.ts";
import { parseKubeConfig } from "../../../src/client/parse-kube-config.ts";
import {
  readAggregated,
  readCoreVersions,
  readGroupList,
  readResourceList,
} from "../../../src/rest/discovery-answer.ts";
import { MalformedAnswerError, readPage, readWatchLine } from "../../../src/rest/list-watch-event.ts";
import { refusalOf } from "../../../src/rest/status.ts";

const resource = { group: "", version: "v1", kind: "Pod", resource: "pods", namespaced: true, verbs: [] };

/** Most of what is made up here is refused at the first look: more runs get further. */
const many = runs(2_000);

/** JSON that has the words of the API in it, with anything as their values. */
const words = [
  "metadata",
  "items",
  "object",
  "type",
  "resourceVersion",
  "continue",
  "name",
  "versions",
  "resources",
  "groups",
  "preferredVersion",
  "responseKind",
  "status",
  "details",
  "causes",
  "kind",
  "verbs",
  "freshness",
  "token",
  "users",
  "user",
  "clusters",
  "cluster",
  "contexts",
  "context",
  "exec",
  "command",
  "apiVersion",
];
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, "", "ADDED", "MODIFIED", "ERROR", "BOOKMARK", "Status", "Stale"),
    fc.string(),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie("json"), { maxKeys: 6 }),
  ),
}));

/** Runs it; of errors, only those of that class may come out. */
function allowing(error: new (...args: never[]) => Error, act: () => unknown): void {
  try {
    act();
  } catch (thrown) {
    assert.ok(thrown instanceof error, String(thrown));
  }
}

describe("what reads the answers of servers and plugins", () => {
  it("takes any page of a list for one, or says that it is none", () => {
    fc.assert(
      fc.property(json, (value) =>
        allowing(MalformedAnswerError, () => readPage(value, resource, (object) => object)),
      ),
      many,
    );
  });

  it("takes any line of a watch for an event, or says that it is none", () => {
    const line = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    fc.assert(
      fc.property(line, (text) => allowing(MalformedAnswerError, () => readWatchLine(text, resource))),
      many,
    );
  });

  it("takes any discovery for what can be understood of it", () => {
    fc.assert(
      fc.property(json.filter(isJsonObject), (value) => {
        readAggregated(value);
        readGroupList(value);
        readCoreVersions(value);
        readResourceList(value, "g", "v1");
      }),
      many,
    );
  });

  it("makes an API error of any refusal", () => {
    const text = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), text, (code, body) =>
        assert.ok(refusalOf(code, body) instanceof KubeApiError),
      ),
      many,
    );
  });

  it("takes any kubeconfig for one, or says what is wrong with it", () => {
    const text = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (config) => allowing(KubeConfigError, () => parseKubeConfig(config, "/config"))),
      many,
    );
  });

  it("takes any output of a plugin for a credential, or says that it is none", () => {
    const plugin = parseExecPlugin({ apiVersion: "client.authentication.k8s.io/v1", command: "login" }, "me");
    const text = fc.oneof(
      json.map((status) => JSON.stringify({ kind: "ExecCredential", apiVersion: plugin.apiVersion, status })),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (output) => allowing(KubeConfigError, () => parseCredential(output, plugin))),
      many,
    );
  });
});
