import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, printImageRef, type ResourceId, toldResourceId } from "@weir/flux";
import { readSubject } from "../../../../../src/daemon/queries/why/subject.ts";

const names = {
  ids: new Set<ResourceId>(
    ["shop:deployment/web", "prod:deployment/web", "shop:configmap/settings", "<cluster>:namespace/shop"].map(
      toldResourceId,
    ),
  ),
  images: ["quay.io/weaveworks/helloworld:a", "redis:5", "localhost:5000/app:1"].map(parseImageRef),
};

/** What was meant, in a word. */
function meant(text: string, namespace = "shop"): string {
  const subject = readSubject(text, namespace, names);
  switch (subject.kind) {
    case "resource":
      return subject.id;
    case "image":
      return `image ${printImageRef(subject.image)}`;
    case "ambiguous":
      return `one of ${subject.names.join(" ")}`;
    case "unsure":
      return `${subject.ids.join(" ")} or commit ${String(subject.commit)}`;
  }
}

describe("what a name means", () => {
  const cases: Readonly<Record<string, string>> = {
    "deployment/web": "shop:deployment/web",
    "prod:deployment/web": "prod:deployment/web",
    "Deployment/web": "shop:deployment/web",
    "deploy/web": "shop:deployment/web",
    "prod:deploy/web": "prod:deployment/web",
    "cm/settings": "shop:configmap/settings",
    "ns/shop": "<cluster>:namespace/shop",
    "<cluster>:namespace/shop": "<cluster>:namespace/shop",
    settings: "shop:configmap/settings",
    web: "shop:deployment/web",
    redis: "image redis",
    "redis:6": "image redis:6",
    "library/redis:6": "image redis:6",
    helloworld: "image quay.io/weaveworks/helloworld",
    "weaveworks/helloworld:b": "image quay.io/weaveworks/helloworld:b",
    "quay.io/weaveworks/helloworld:b": "image quay.io/weaveworks/helloworld:b",
    "localhost:5000/app:2": "image localhost:5000/app:2",
    "world:b": " or commit undefined",
    "0123abc": " or commit 0123abc",
    "deployment/other": "shop:deployment/other <cluster>:deployment/other or commit deployment/other",
    "prod:pod/x": "prod:pod/x or commit undefined",
    "--output=x": " or commit undefined",
    "a..b": " or commit undefined",
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`${text}: ${expected}`, () => {
      assert.equal(meant(text), expected);
    });
  }

  it("is asked back if it's several things", () => {
    assert.equal(meant("web", "other"), "one of shop:deployment/web prod:deployment/web");
  });
});
