import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiStatus, KubeApiError } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { ConnectionError } from "@weir/kube/rest";
import { kubectlMessage, unknownKindMessage } from "../../../src/operations/error-message.ts";

function refused(status: Partial<ApiStatus>): KubeApiError {
  return new KubeApiError({ code: 400, reason: "", message: "", ...status });
}

describe("kubectlMessage", () => {
  it("tells the reason, and what kubectl was doing", () => {
    const error = refused({ code: 404, reason: "NotFound", message: 'namespaces "nowhere" not found' });

    assert.equal(
      kubectlMessage(error, "creating"),
      'Error from server (NotFound): error when creating "STDIN": namespaces "nowhere" not found',
    );
  });

  it("does without a reason where the server gives none", () => {
    assert.equal(
      kubectlMessage(refused({ code: 500, message: "etcd is away" }), "patching"),
      'Error from server: error when patching "STDIN": etcd is away',
    );
  });

  it("says that one must be logged in", () => {
    assert.equal(
      kubectlMessage(refused({ code: 401, reason: "Unauthorized", message: "Unauthorized" }), "creating"),
      'error: You must be logged in to the server (error when creating "STDIN": Unauthorized)',
    );
  });

  it("puts the only cause of an invalid object into the line", () => {
    const error = refused({
      code: 422,
      reason: "Invalid",
      message: 'Deployment.apps "bad" is invalid: spec.selector: Invalid value: {}: field is immutable',
      details: {
        kind: "Deployment",
        name: "bad",
        causes: [{ field: "spec.selector", message: "Invalid value: {}: field is immutable" }],
      },
    });

    assert.equal(
      kubectlMessage(error, "patching"),
      'The Deployment "bad" is invalid: spec.selector: Invalid value: {}: field is immutable',
    );
  });

  it("lists several causes, each once", () => {
    const required = { field: "spec.selector", message: "Required value" };
    const error = refused({
      code: 422,
      reason: "Invalid",
      details: {
        kind: "Deployment",
        name: "bad",
        causes: [required, { field: "spec.template", message: "Required value" }, required],
      },
    });

    assert.equal(
      kubectlMessage(error, "creating"),
      'The Deployment "bad" is invalid: \n* spec.selector: Required value\n* spec.template: Required value',
    );
  });

  it("names the object where there are no causes", () => {
    const details = { kind: "Deployment", name: "bad" };

    assert.equal(
      kubectlMessage(refused({ reason: "Invalid", details }), "creating"),
      'The Deployment "bad" is invalid',
    );
  });

  it("tells the message where nothing else is known of an invalid request", () => {
    const error = refused({ reason: "Invalid", message: "the patch is odd" });

    assert.equal(
      kubectlMessage(error, "patching"),
      'The request is invalid: error when patching "STDIN": the patch is odd',
    );
    assert.equal(
      kubectlMessage(refused({ reason: "Invalid", message: "the patch is odd", details: {} }), "patching"),
      'The request is invalid: error when patching "STDIN": the patch is odd',
    );
  });

  it("lists the causes of a request that names no object", () => {
    const causes = [{ field: "spec", message: "Required value" }];

    assert.equal(
      kubectlMessage(refused({ reason: "Invalid", details: { causes } }), "patching"),
      "The request is invalid: spec: Required value",
    );
  });

  it("quotes names as Go does", () => {
    const details = { kind: "Pod", name: 'a"b' };

    assert.equal(kubectlMessage(refused({ reason: "Invalid", details }), ""), 'The Pod "a\\"b" is invalid');
  });

  it("says where no patch can be made up", () => {
    const error = new PatchError("bad-object", "the annotation is no JSON");

    assert.equal(
      kubectlMessage(error, "patching"),
      'error: error when patching "STDIN": the annotation is no JSON',
    );
  });

  it("says where a server refuses the connection", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:6443"), { code: "ECONNREFUSED" });
    const error = new ConnectionError(
      { server: "https://127.0.0.1:6443", sent: false, reason: cause.message },
      { cause },
    );

    assert.equal(
      kubectlMessage(error, "creating"),
      "The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?",
    );
  });

  it("says where the server cannot be reached", () => {
    assert.equal(
      kubectlMessage(new Error("connect ECONNREFUSED 127.0.0.1:6443"), "creating"),
      "Unable to connect to the server: connect ECONNREFUSED 127.0.0.1:6443",
    );
  });
});

describe("unknownKindMessage", () => {
  it("is kubectl's", () => {
    assert.equal(
      unknownKindMessage({ apiVersion: "nothing.test/v1", kind: "Thing" }),
      'error: unable to recognize "STDIN": no matches for kind "Thing" in version "nothing.test/v1"',
    );
  });
});
