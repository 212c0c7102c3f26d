import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError, type JsonValue, stringifyGoJson } from "@weir/base";
import { InvalidImageRefError, parseImageRef } from "../../../src/image/ref.ts";
import { InvalidResourceIdError, parseResourceId } from "../../../src/resource/id.ts";
import type { UpdateResult } from "../../../src/update/result.ts";
import type { UpdateSpec } from "../../../src/update/spec.ts";
import {
  decodeUpdateRequest,
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
  MissingSpecError,
  UnknownSpecTypeError,
} from "../../../src/update/wire.ts";

const hello = parseResourceId("demo:deployment/hello");
const other = parseResourceId("demo:deployment/a-other");
const old = parseImageRef("quay.io/org/app:1.0.0");
const next = parseImageRef("quay.io/org/app:1.0.1");
const cause = { message: "why <not>", user: "Ann <ann@example.test>" };
const causeText = '"cause":{"Message":"why \\u003cnot\\u003e","User":"Ann \\u003cann@example.test\\u003e"}';

const examples: readonly (readonly [string, UpdateSpec, string])[] = [
  ["a sync", { type: "sync", cause }, `{"type":"sync",${causeText},"spec":{}}`],
  [
    "a sync of what is the same, too",
    { type: "sync", cause, reapply: true },
    `{"type":"sync",${causeText},"spec":{"Reapply":true}}`,
  ],
  [
    "policies",
    {
      type: "policy",
      cause,
      spec: new Map([
        [hello, { add: { locked: "true", automated: "true" }, remove: null }],
        [other, { add: {}, remove: { "tag.app": "true" } }],
      ]),
    },
    `{"type":"policy",${causeText},"spec":{"demo:deployment/a-other":{"add":{},"remove":{"tag.app":"true"}},` +
      '"demo:deployment/hello":{"add":{"automated":"true","locked":"true"},"remove":null}}}',
  ],
  [
    "an image",
    {
      type: "image",
      cause,
      spec: {
        workloads: [hello],
        image: "quay.io/org/app:1.0.1",
        kind: "execute",
        excludes: null,
        force: false,
      },
    },
    `{"type":"image",${causeText},"spec":{"ServiceSpecs":["demo:deployment/hello"],"ImageSpec":"quay.io/org/app:1.0.1",` +
      '"Kind":"execute","Excludes":null,"Force":false}}',
  ],
  [
    "the latest of all images",
    {
      type: "image",
      cause,
      spec: { workloads: ["<all>"], image: "<all latest>", kind: "plan", excludes: [other], force: true },
    },
    `{"type":"image",${causeText},"spec":{"ServiceSpecs":["\\u003call\\u003e"],"ImageSpec":"\\u003call latest\\u003e",` +
      '"Kind":"plan","Excludes":["demo:deployment/a-other"],"Force":true}}',
  ],
  [
    "containers",
    {
      type: "containers",
      cause,
      spec: {
        kind: "execute",
        containers: new Map([
          [
            hello,
            [
              { container: "app", current: old, target: next },
              { container: "side", current: undefined, target: next },
            ],
          ],
        ]),
        skipMismatches: true,
        force: false,
      },
    },
    `{"type":"containers",${causeText},"spec":{"Kind":"execute","ContainerSpecs":{"demo:deployment/hello":[` +
      '{"Container":"app","Current":"quay.io/org/app:1.0.0","Target":"quay.io/org/app:1.0.1"},' +
      '{"Container":"side","Current":"","Target":"quay.io/org/app:1.0.1"}]},"SkipMismatches":true,"Force":false}}',
  ],
  [
    "an image as the caller wrote it, spelled in an odd way",
    {
      type: "image",
      cause,
      spec: {
        workloads: ["demo:Deployment/hello", "", "nothing"],
        image: "app:1@sha256:00",
        kind: "execute",
        excludes: [""],
        force: false,
      },
    },
    `{"type":"image",${causeText},"spec":{"ServiceSpecs":["demo:Deployment/hello","","nothing"],` +
      '"ImageSpec":"app:1@sha256:00","Kind":"execute","Excludes":[""],"Force":false}}',
  ],
  [
    "an image where the caller said nothing of it",
    {
      type: "image",
      cause,
      spec: { workloads: null, image: "", kind: "", excludes: null, force: false },
    },
    `{"type":"image",${causeText},"spec":{"ServiceSpecs":null,"ImageSpec":"","Kind":"","Excludes":null,"Force":false}}`,
  ],
  [
    "containers where the caller named none of a workload",
    {
      type: "containers",
      cause,
      spec: { kind: "plan", containers: new Map([[hello, null]]), skipMismatches: false, force: false },
    },
    `{"type":"containers",${causeText},"spec":{"Kind":"plan","ContainerSpecs":{"demo:deployment/hello":null},` +
      '"SkipMismatches":false,"Force":false}}',
  ],
  [
    "containers where the caller named no workload",
    {
      type: "containers",
      cause,
      spec: { kind: "plan", containers: null, skipMismatches: false, force: false },
    },
    `{"type":"containers",${causeText},"spec":{"Kind":"plan","ContainerSpecs":null,"SkipMismatches":false,"Force":false}}`,
  ],
  [
    "policies that are null",
    { type: "policy", cause, spec: null },
    `{"type":"policy",${causeText},"spec":null}`,
  ],
  [
    "an automated release",
    {
      type: "auto",
      cause,
      spec: [{ workload: hello, container: { name: "greeter", image: old }, image: next }],
    },
    `{"type":"auto",${causeText},"spec":{"Changes":[{"WorkloadID":"demo:deployment/hello",` +
      '"Container":{"Name":"greeter","Image":"quay.io/org/app:1.0.0"},"ImageID":"quay.io/org/app:1.0.1"}]}}',
  ],
];

function write(value: JsonValue): string {
  return stringifyGoJson(value, { sortKeys: false });
}

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

describe("an update spec as JSON", () => {
  for (const [what, spec, text] of examples) {
    it(`tells of ${what} as Flux v1 does`, () => {
      assert.equal(write(encodeUpdateSpec(spec)), text);
    });

    it(`reads ${what} back`, () => {
      assert.deepEqual(decodeUpdateSpec(parse(text)), spec);
    });
  }

  it("reads keys in any case, and policies as a list of names", () => {
    const text =
      '{"TYPE":"policy","Cause":{},"SPEC":{"demo:Deployment/hello":{"Add":["locked"],"REMOVE":null}}}';

    assert.deepEqual(decodeUpdateSpec(parse(text)), {
      type: "policy",
      cause: { message: "", user: "" },
      spec: new Map([[hello, { add: { locked: "true" }, remove: null }]]),
    });
  });

  for (const [what, fields] of [
    ["empty", '"Current":"","Target":"a:1"'],
    ["null", '"Current":null,"Target":"a:1"'],
  ] as const) {
    it(`refuses in a request a current image that is ${what}, which Flux v1 cannot read`, () => {
      const text = `{"type":"containers","spec":{"ContainerSpecs":{"demo:deployment/hello":[{"Container":"c",${fields}}]}}}`;

      assert.throws(() => decodeUpdateRequest(parse(text)), {
        name: "InvalidImageRefError",
        message: 'parsing "": blank image name: invalid image ID',
      });
    });
  }

  it("takes a request without a current image", () => {
    const text =
      '{"type":"containers","spec":{"ContainerSpecs":{"demo:deployment/hello":[{"Container":"c","Target":"a:1"}]}}}';

    assert.deepEqual(decodeUpdateRequest(parse(text)), decodeUpdateSpec(parse(text)));
  });

  it("takes null among texts for an empty one, as Go does", () => {
    const spec = decodeUpdateRequest(
      parse('{"type":"image","spec":{"ServiceSpecs":[null],"ImageSpec":null,"Excludes":[null]}}'),
    );

    assert.deepEqual(spec.type === "image" && spec.spec, {
      workloads: [""],
      image: "",
      kind: "",
      excludes: [""],
      force: false,
    });
  });

  it("takes an empty current image for one that is not known, as Flux v1 writes it", () => {
    const text =
      '{"type":"containers","spec":{"ContainerSpecs":{"demo:deployment/hello":[{"Container":"c","Current":"","Target":"a:1"}]}}}';
    const spec = decodeUpdateSpec(parse(text));

    assert.deepEqual(spec.type === "containers" && [...(spec.spec.containers?.values() ?? [])], [
      [{ container: "c", current: undefined, target: parseImageRef("a:1") }],
    ]);
  });

  it("keeps policies whose names every object inherits", () => {
    const text = '{"type":"policy","spec":{"demo:deployment/hello":{"add":{"__proto__":"x"}}}}';

    assert.match(write(encodeUpdateSpec(decodeUpdateSpec(parse(text)))), /"add":\{"__proto__":"x"\}/);
  });

  for (const [what, text, error] of [
    ["a type that nobody knows", '{"type":"other"}', UnknownSpecTypeError],
    ["no type", "{}", UnknownSpecTypeError],
    ["no spec", '{"type":"sync"}', MissingSpecError],
    ["no spec of policies", '{"type":"policy","cause":{}}', MissingSpecError],
    ["a list", "[]", JsonShapeError],
    ["a number for a text", '{"type":1}', JsonShapeError],
    ["a bad exclude", '{"type":"image","spec":{"Excludes":["x"]}}', InvalidResourceIdError],
    [
      "a bad target",
      '{"type":"containers","spec":{"ContainerSpecs":{"a:b/c":[{"Target":"::"}]}}}',
      InvalidImageRefError,
    ],
    ["no target", '{"type":"containers","spec":{"ContainerSpecs":{"a:b/c":[{}]}}}', InvalidImageRefError],
    ["a bad key", '{"type":"policy","spec":{"nothing":{}}}', InvalidResourceIdError],
    ["a policy that is a list", '{"type":"policy","spec":{"a:b/c":{"add":{"x":[]}}}}', JsonShapeError],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decodeUpdateSpec(parse(text)), error);
    });
  }
});

describe("an update result as JSON", () => {
  const result: UpdateResult = new Map([
    [hello, { status: "success", containers: [{ container: "greeter", current: old, target: next }] }],
    [other, { status: "skipped", error: "not running", containers: null }],
  ]);
  const text =
    '{"demo:deployment/a-other":{"Status":"skipped","Error":"not running","PerContainer":null},' +
    '"demo:deployment/hello":{"Status":"success","PerContainer":[{"Container":"greeter",' +
    '"Current":"quay.io/org/app:1.0.0","Target":"quay.io/org/app:1.0.1"}]}}';

  it("is sorted by workload", () => {
    assert.equal(write(encodeUpdateResult(result)), text);
  });

  it("reads back", () => {
    assert.deepEqual(decodeUpdateResult(parse(text)), new Map([...result].toReversed()));
  });

  it("takes a status that nobody knows for unknown", () => {
    assert.deepEqual(
      decodeUpdateResult(parse('{"demo:deployment/hello":{"Status":"odd"}}')),
      new Map([[hello, { status: "unknown", containers: null }]]),
    );
  });
});
