import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError, type JsonValue, stringifyGoJson } from "@weir/base";
import type { GitConfigReport, WorkloadStatusReport } from "../../../src/api/api-server.ts";
import {
  decodeGitConfig,
  decodeWorkloads,
  encodeGitConfig,
  encodePublicSshKey,
  encodeWorkloads,
} from "../../../src/api/v6.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const workload: WorkloadStatusReport = {
  id: parseResourceId("default:deployment/app"),
  containers: [{ name: "app", image: parseImageRef("quay.io/org/app:1.0.0") }],
  readOnly: "NotInRepo",
  status: "ready",
  rollout: { desired: 3, updated: 2, ready: 1, available: 1, outdated: 1, messages: ["stuck"] },
  syncError: "it <failed>",
  antecedent: parseResourceId("default:helmrelease/app"),
  labels: { b: "2", a: "1" },
  policies: { locked: "true", automated: "false", ignore: "true", "tag.app": "glob:*" },
};

const workloadText =
  '[{"ID":"default:deployment/app","Containers":[{"Name":"app","Current":{"ID":"quay.io/org/app:1.0.0","Labels":{}},' +
  '"LatestFiltered":{"ID":"","Labels":{}}}],"ReadOnly":"NotInRepo","Status":"ready",' +
  '"Rollout":{"Desired":3,"Updated":2,"Ready":1,"Available":1,"Outdated":1,"Messages":["stuck"]},' +
  '"SyncError":"it \\u003cfailed\\u003e","Antecedent":"default:helmrelease/app","Labels":{"a":"1","b":"2"},' +
  '"Automated":false,"Locked":true,"Ignore":true,' +
  '"Policies":{"automated":"false","ignore":"true","locked":"true","tag.app":"glob:*"}}]';

function write(value: JsonValue): string {
  return stringifyGoJson(value, { sortKeys: false });
}

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

describe("workloads as JSON", () => {
  it("are written as Flux v1 writes them", () => {
    assert.equal(write(encodeWorkloads([workload])), workloadText);
  });

  it("read back", () => {
    assert.deepEqual(decodeWorkloads(parse(workloadText)), [workload]);
  });

  it("are null where there are none, both ways", () => {
    assert.equal(encodeWorkloads([]), null);
    assert.deepEqual(decodeWorkloads(null), []);
  });

  it("are written with null for what Flux v1 keeps in nil slices and maps, and never for containers", () => {
    const bare = { ...workload, containers: [], labels: null, policies: {}, antecedent: "" } as const;

    const [written] = encodeWorkloads([{ ...bare, rollout: { ...workload.rollout, messages: null } }]) ?? [];

    assert.deepEqual(
      [written?.["Containers"], written?.["Labels"], written?.["Policies"], written?.["Antecedent"]],
      [[], null, {}, ""],
    );
    assert.deepEqual(decodeWorkloads([written ?? null]), [
      { ...bare, rollout: { ...workload.rollout, messages: null } },
    ]);
  });

  it("take the policies from their fields where an older daemon sends no others", () => {
    const [read] = decodeWorkloads(parse('[{"ID":"a:b/c","Automated":true,"Locked":false}]'));

    assert.deepEqual(read?.policies, { automated: "true" });
  });

  it("read with an image that makes no sense", () => {
    const text = '[{"ID":"a:b/c","Containers":[{"Name":"c","Current":{"ID":""}}]}]';

    assert.deepEqual(decodeWorkloads(parse(text))[0]?.containers, [
      { name: "c", image: { domain: "", image: "", tag: "", sha: "" } },
    ]);
  });

  it("are refused where they are no list, or a field is of the wrong type", () => {
    assert.throws(() => decodeWorkloads({}), JsonShapeError);
    assert.throws(() => decodeWorkloads(parse('[{"ID":"a:b/c","Rollout":{"Ready":"1"}}]')), {
      message: "[0].Rollout.Ready should be a whole number, not a string",
    });
  });
});

describe("the git configuration as JSON", () => {
  const config: GitConfigReport = {
    url: "ssh://git@example.test/org/repo",
    branch: "main",
    path: "a,b",
    publicSshKey: {
      key: "ssh-rsa AAAA\n",
      fingerprints: { sha256: { hash: "s", randomart: "+-+\n" }, md5: { hash: "m", randomart: "+=+\n" } },
    },
    status: "ready",
    errors: "",
  };
  const text =
    '{"remote":{"url":"ssh://git@example.test/org/repo","branch":"main","path":"a,b"},"publicSSHKey":{"key":"ssh-rsa AAAA\\n",' +
    '"fingerprints":{"md5":{"hash":"m","randomart":"+=+\\n"},"sha256":{"hash":"s","randomart":"+-+\\n"}}},"status":"ready","errors":""}';

  it("is written as Flux v1 writes it", () => {
    assert.equal(write(encodeGitConfig(config)), text);
  });

  it("reads back", () => {
    assert.deepEqual(decodeGitConfig(parse(text)), config);
  });

  it("takes a status that nobody knows for a repository that is not ready", () => {
    assert.equal(decodeGitConfig(parse('{"status":"odd"}')).status, "new");
  });

  it("has no fingerprints where there is no key", () => {
    assert.equal(
      write(encodePublicSshKey({ key: "", fingerprints: null })),
      '{"key":"","fingerprints":null}',
    );
  });
});
