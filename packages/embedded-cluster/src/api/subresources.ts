/** Subresources that are no part of their object: scale, finalize, eviction, and what would need a real node. */
import { KubeApiError } from "@weir/kube";
import { scaleOf, takeScale } from "../resources/scale.ts";
import { methodNotAllowedError, notFoundError } from "../status-errors.ts";
import { treeOf } from "../storage/stored-object.ts";
import { ensureTree, isTree, stringsAt, type Tree } from "../tree.ts";
import { deleteObject, readDeleteOptions } from "../verbs/delete.ts";
import { patchLive, patchTypeOf } from "../verbs/patch.ts";
import { readObject, readText } from "../verbs/read-body.ts";
import { updateObject } from "../verbs/update.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import type { ApiContext } from "./api-context.ts";
import { readWriteOptions, type WriteOptions } from "./options.ts";
import { renderObject } from "./render.ts";
import { type ResourceRequest, rendering, requireObject } from "./resource-requests.ts";

/** Answers a request for such a subresource; undefined where it is an ordinary one. Throws KubeApiError. */
export async function answerSubresource(
  context: ApiContext,
  asked: ResourceRequest,
): Promise<Answer | undefined> {
  switch (asked.path.subresource) {
    case "scale":
      return answerScale(context, asked);
    case "finalize":
      return answerFinalize(context, asked);
    case "eviction":
      return answerEviction(context, asked);
    case "log":
    case "exec":
    case "attach":
    case "portforward":
    case "proxy":
      throw withoutNodes(context, asked);
    case "token":
    case "binding":
      throw notImplemented(`the embedded cluster does not serve ${asked.path.subresource}`);
    default:
      return undefined;
  }
}

async function answerScale(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, resource } = asked;
  const current = requireObject(context, asked);
  const object = resource.fromStorage(treeOf(current));
  const scale = scaleOf(object, resource.scale);
  if (request.method === "GET") {
    return renderScale(context, asked, scale);
  }
  const options = optionsOf(asked);
  const wanted = await readScale(context, asked, scale, options);
  takeScale(object, wanted, resource.scale);
  const update = { resource, subresource: "scale", current, options };
  const written = updateObject(context, update, object);
  const stored = written.stored === undefined ? written.object : treeOf(written.stored);
  return renderScale(context, asked, scaleOf(resource.fromStorage(stored), resource.scale));
}

function optionsOf({ request }: ResourceRequest): WriteOptions {
  const kind = request.method === "PUT" ? "UpdateOptions" : "PatchOptions";
  return readWriteOptions(kind, request);
}

async function renderScale(context: ApiContext, asked: ResourceRequest, scale: Tree): Promise<Answer> {
  return renderObject(rendering(context, asked), 200, scale);
}

/** The Scale that a client wants: as it is sent, or as a patch makes it of the one that is there. */
async function readScale(
  { scaleCodec }: ApiContext,
  { request, resource }: ResourceRequest,
  scale: Tree,
  options: WriteOptions,
): Promise<Tree> {
  const kind = { group: "autoscaling", version: "v1", kind: "Scale", apiVersion: "autoscaling/v1" };
  const asScale = { ...resource, ...kind, custom: false, codec: scaleCodec };
  if (request.method === "PUT") {
    return (await readObject(request, asScale, options.fieldValidation)).object;
  }
  return patchLive({ resource: asScale, live: scale, request, type: patchTypeOf(request, resource), options })
    .object;
}

/** Namespaces are done with when nobody is left in spec.finalizers. */
async function answerFinalize(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, resource } = asked;
  const options = readWriteOptions("UpdateOptions", request);
  const { object } = await readObject(request, resource, "Ignore");
  const current = requireObject(context, asked);
  const kept = treeOf(current);
  const finalizers = stringsAt(object, "spec", "finalizers");
  ensureTree(kept, "spec")["finalizers"] = finalizers;
  if (current.deleting && finalizers.length === 0 && current.finalizers.length === 0) {
    return renderObject(rendering(context, asked), 200, treeOf(context.store.remove(current)));
  }
  const written = updateObject(context, { resource, subresource: "finalize", current, options }, kept);
  return renderObject(rendering(context, asked), 200, written.object);
}

async function answerEviction(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  if (asked.request.method !== "POST") {
    throw methodNotAllowedError();
  }
  const { value } = await readText(asked.request, "Eviction");
  const body = isTree(value) && isTree(value["deleteOptions"]) ? value["deleteOptions"] : {};
  const options = await readDeleteOptions({ ...asked.request, body: Buffer.from(JSON.stringify(body)) });
  deleteObject(context, { resource: asked.resource, current: requireObject(context, asked), options });
  return jsonAnswer(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

/** Containers do not run here: what looks into them has nothing to look at. */
function withoutNodes(context: ApiContext, asked: ResourceRequest): KubeApiError {
  const { path, resource } = asked;
  const found = context.store.get(resource.bucket, path.namespace, path.name);
  if (found === undefined) {
    return notFoundError(resource, path.name);
  }
  return notImplemented(
    `the embedded cluster runs no containers: there is no ${nameOf(path.subresource)} ${resource.singular} "${path.name}"`,
  );
}

function nameOf(subresource: string): string {
  switch (subresource) {
    case "log":
      return "log of";
    case "portforward":
      return "port to forward to in";
    case "proxy":
      return "way to";
    default:
      return `process to ${subresource} in`;
  }
}

function notImplemented(message: string): KubeApiError {
  return new KubeApiError({ code: 501, reason: "NotImplemented", message, details: {} });
}
