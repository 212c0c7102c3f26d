import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { duplicate, forbidden, invalid, notSupported, required } from "../../../src/field-errors.ts";
import type { TreeNode } from "../../../src/tree.ts";
import { Field } from "../../../src/validate/field.ts";
import { dnsLabel } from "../../../src/validate/text-rules.ts";

const container = { name: "main", ports: [{ containerPort: 80 }, { containerPort: 81 }] };

describe("the path of a field", () => {
  it("has dots between names, and brackets around the places of items and the keys of maps", () => {
    const spec = podOf({ containers: [container], nodeSelector: { disk: "ssd" } }).at("spec");

    assert.deepEqual(
      spec.at("containers").items.flatMap((one) => one.at("ports").items.map((port) => port.at("name").path)),
      ["spec.containers[0].ports[0].name", "spec.containers[0].ports[1].name"],
    );
    assert.deepEqual(
      spec.at("nodeSelector").entries.map(([key, value]) => [key, value.path, value.text]),
      [["disk", "spec.nodeSelector[disk]", "ssd"]],
    );
  });

  it("leads to one value of a map, whatever its key is", () => {
    const [first] = podOf({ containers: [{ resources: { limits: { "example.com/gpu": "1" } } }] }).at(
      "spec.containers",
    ).items;
    const limits = first?.at("resources.limits");

    assert.deepEqual(
      [limits?.key("example.com/gpu"), limits?.key("cpu")].map((amount) => [amount?.path, amount?.text]),
      [
        ["spec.containers[0].resources.limits[example.com/gpu]", "1"],
        ["spec.containers[0].resources.limits[cpu]", ""],
      ],
    );
  });

  it("may be another than the place, also for what stands below it", () => {
    const metadata = podOf({}).at("metadata").shownAs("template");

    assert.equal(metadata.at("labels").path, "template.labels");
  });

  it("leads on where nothing is", () => {
    const seconds = podOf({}).at("spec.affinity.nodeAffinity");

    assert.deepEqual([seconds.path, seconds.isSet], ["spec.affinity.nodeAffinity", false]);
  });

  it("is one that the schema knows", () => {
    assert.throws(
      () => podOf({}).at("spec.contaners"),
      /the schema of io\.k8s\.api\.core\.v1\.PodSpec has no field contaners/,
    );
  });

  it("is free where there is no schema", () => {
    const custom = Field.of({ apiVersion: "example.com/v1", kind: "Thing", spec: { size: 1 } });

    assert.equal(custom.at("spec.size").number, 1);
  });

  it("never leads to what JavaScript brings", () => {
    assert.equal(Field.named("", {}).at("constructor").isSet, false);
  });
});

describe("reading a field", () => {
  it("gives something empty for what is not set or of another type", () => {
    for (const value of [undefined, null]) {
      const { isSet, isTrue, text, number, tree, texts, textMap, items, entries } = Field.named("a", value);

      assert.deepEqual(
        { isSet, isTrue, text, number, tree, texts, size: textMap.size, items, entries },
        {
          isSet: false,
          isTrue: false,
          text: "",
          number: 0,
          tree: {},
          texts: [],
          size: 0,
          items: [],
          entries: [],
        },
      );
    }
  });

  it("gives what is set", () => {
    const field = Field.named("a", { text: "", on: true, count: 0, list: ["b", 1] });

    assert.equal(field.at("text").isSet, true);
    assert.equal(field.at("on").isTrue, true);
    assert.equal(field.at("count").isSet, true);
    assert.deepEqual(field.at("list").texts, ["b"]);
    assert.deepEqual(
      field.whichSet(["on", "off", "count"]).map(({ path }) => path),
      ["a.on", "a.count"],
    );
  });
});

describe("reporting a field", () => {
  it("names the path and the value", () => {
    const field = Field.named("a.b", "c");

    assert.deepEqual(
      [
        field.invalid("why"),
        field.invalid("why", 1),
        field.required("why"),
        field.forbidden("why"),
        field.notSupported(["d"]),
        field.duplicate(),
        field.duplicate(1, "why"),
      ],
      [
        invalid("a.b", "c", "why"),
        invalid("a.b", 1, "why"),
        required("a.b", "why"),
        forbidden("a.b", "why"),
        notSupported("a.b", "c", ["d"]),
        duplicate("a.b", "c"),
        duplicate("a.b", 1, "why"),
      ],
    );
  });

  it("shows the zero value of its type where it is not set, and null for a pointer", () => {
    const spec = podOf({}).at("spec");
    const shown = ["nodeName", "hostNetwork", "containers", "activeDeadlineSeconds"].map(
      (name) => spec.at(name).invalid("").message,
    );

    assert.deepEqual(shown, [
      'Invalid value: ""',
      "Invalid value: false",
      "Invalid value: null",
      "Invalid value: null",
    ]);
  });
});

describe("checking a field against its schema", () => {
  const ports = [{ containerPort: 80, protocol: "HTTP" }];
  const [first] = podOf({ containers: [{ ports, imagePullPolicy: "Rarely" }] }).at("spec.containers").items;
  assert.ok(first !== undefined);

  it("asks for a text only where the schema does", () => {
    assert.deepEqual(first.at("name").check(dnsLabel), [required("spec.containers[0].name")]);
    assert.deepEqual(first.at("image").check(dnsLabel), []);
    assert.deepEqual(first.at("image").needs(dnsLabel, "why"), [required("spec.containers[0].image", "why")]);
  });

  it("allows the words of the schema, and names them all in a refusal", () => {
    const policy = first.at("imagePullPolicy");

    assert.deepEqual(policy.words, ["Always", "IfNotPresent", "Never"]);
    assert.deepEqual(policy.check(), [
      notSupported("spec.containers[0].imagePullPolicy", "Rarely", policy.words),
    ]);
    assert.deepEqual(
      policy.words.flatMap((word) => policy.holding(word).check()),
      [],
    );
  });

  it("takes a word that is asked for and absent for an unknown one", () => {
    const [spread] = podOf({ topologySpreadConstraints: [{}] }).at("spec.topologySpreadConstraints").items;

    assert.deepEqual(spread?.at("whenUnsatisfiable").check(), [
      notSupported("spec.topologySpreadConstraints[0].whenUnsatisfiable", "", [
        "DoNotSchedule",
        "ScheduleAnyway",
      ]),
    ]);
  });

  it("knows the words of the items of a list", () => {
    const claim = Field.of({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      spec: { accessModes: ["ReadWriteOnce", "Some"] },
    });

    assert.deepEqual(
      claim
        .at("spec.accessModes")
        .each((mode) => mode.check())
        .map(({ field }) => field),
      ["spec.accessModes[1]"],
    );
  });
});

describe("checking a field against rules", () => {
  it("holds numbers to bounds", () => {
    const count = (value?: number) => Field.named("a", value);

    assert.deepEqual([count().atLeast(1), count(0).atLeast(0), count(5).between(1, 5)], [[], [], []]);
    assert.deepEqual(count(0).atLeast(1), [invalid("a", 0, "must be greater than or equal to 1")]);
    assert.deepEqual(count().between(1, 5), [invalid("a", 0, "must be between 1 and 5, inclusive")]);
  });

  it("holds texts to a rule, empty ones as well", () => {
    assert.deepEqual(Field.named("a", "b").follows(dnsLabel), []);
    assert.equal(Field.named("a", "").follows(dnsLabel).length, 1);
  });

  it("finds changes, but none between nothing and empty", () => {
    const same = (now: TreeNode, before: TreeNode) =>
      Field.named("a", now).unchanged(Field.named("a", before));

    assert.deepEqual(same([], null), []);
    assert.deepEqual(same({ b: 1 }, { b: 2 }), [invalid("a", { b: 1 }, "field is immutable")]);
  });

  it("joins what is found in items and in fields, in their order", () => {
    const list = Field.named("a", [{ b: 1 }, { b: 0 }, { b: 1 }]);

    const errors = list.each((item) =>
      item.all(["b", "c"], (field) => field.number === 1 || field.invalid("why")),
    );

    assert.deepEqual(
      errors.map(({ field }) => field),
      ["a[0].c", "a[1].b", "a[1].c", "a[2].c"],
    );
  });
});

function podOf(spec: { readonly [field: string]: TreeNode }): Field {
  return Field.of({ apiVersion: "v1", kind: "Pod", spec });
}
