import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toldResourceId } from "@weir/flux";
import { dedent } from "@weir/testing";
import { locateDocument } from "../../../src/manifests/locate-document.ts";

const file = dedent(`
  # A shop

  apiVersion: v1
  kind: Namespace
  metadata: { name: shop }

  --- # The settings
  # of the shop
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: settings
    namespace: shop
  # The end
  ---
  ---
  kind: ConfigMap
  metadata: { name: elsewhere }
  --- { kind: Secret, metadata: { name: one-line } }
  ---
  kind: List
  items:
    - kind: Service
      metadata: { name: web, namespace: shop }
`);

function lines(id: string, text = file): string {
  const { from = 0, to = 0 } = locateDocument(text, toldResourceId(id)) ?? {};
  return `${from}-${to}`;
}

describe("the lines of a document", () => {
  it("are those of its content", () => {
    assert.equal(lines("<cluster>:namespace/shop"), "3-5");
    assert.equal(lines("shop:configmap/settings"), "9-13");
    assert.equal(lines("any:configmap/elsewhere"), "17-18");
    assert.equal(lines("any:secret/one-line"), "19-19");
    assert.equal(lines("shop:service/web"), "21-24");
  });

  it("are none for what the file doesn't define", () => {
    assert.equal(lines("other:configmap/settings"), "0-0");
    assert.equal(lines("shop:configmap/none"), "0-0");
    assert.equal(lines("shop:configmap/settings", ""), "0-0");
  });

  it("are found before an error, not after it", () => {
    const broken = `${file}---\nkind: [\n---\nkind: ConfigMap\nmetadata: { name: later }\n`;

    assert.equal(lines("shop:configmap/settings", broken), "9-13");
    assert.equal(lines("shop:configmap/later", broken), "0-0");
  });
});
