/** Requests for resources: from a path and a method to a verb, and from what it did to an answer. */

import type { ServedResource } from "../resources/served-resource.ts";
import { methodNotAllowedError, notFoundError } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import type { Tree } from "../tree.ts";
import { applyObject, readConfig } from "../verbs/apply.ts";
import { createObject, type Written } from "../verbs/create.ts";
import { deleteObject, readDeleteOptions } from "../verbs/delete.ts";
import { listObjects, requireRevision } from "../verbs/list.ts";
import { requireFound, requireName, takeNamespace } from "../verbs/metadata.ts";
import { applyPatch, applyPatchType, patchTypeOf } from "../verbs/patch.ts";
import { readObject } from "../verbs/read-body.ts";
import { scopeOf } from "../verbs/select.ts";
import { updateObject } from "../verbs/update.ts";
import { runWatch } from "../verbs/watch.ts";
import { negotiate } from "./accept.ts";
import { type Answer, jsonAnswer, jsonType } from "./answer.ts";
import type { ApiContext } from "./api-context.ts";
import { readListOptions, readWriteOptions } from "./options.ts";
import {
  bookmarkEncoder,
  eventEncoder,
  type Rendering,
  renderingOf,
  renderList,
  renderObject,
  requireJson,
} from "./render.ts";
import type { ApiRequest } from "./request.ts";
import type { ResourcePath } from "./request-info.ts";

/** A request with the resource that it is for. */
export interface ResourceRequest {
  readonly request: ApiRequest;
  readonly path: ResourcePath;
  readonly resource: ServedResource;
  /** How often a quiet watch is told how far the cluster is. */
  readonly bookmarkEveryMs: number;
}

/** Answers a request for a resource itself or its status. Throws KubeApiError. */
export async function answerResource(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path } = asked;
  requireVerb(asked);
  switch (request.method) {
    case "GET":
    case "HEAD":
      return read(context, asked);
    case "POST":
      return create(context, asked);
    case "PUT":
      return replace(context, asked);
    case "PATCH":
      return patch(context, asked);
    case "DELETE":
      return path.name === "" ? removeAll(context, asked) : remove(context, asked);
    default:
      throw methodNotAllowedError();
  }
}

/** The object that a request is about. Throws KubeApiError (404). */
export function requireObject(context: ApiContext, { path, resource }: ResourceRequest): StoredObject {
  const found = context.store.get(resource.bucket, resource.namespaced ? path.namespace : "", path.name);
  return requireFound(found, resource, path.name);
}

/** How the answer to a request is written. Throws KubeApiError (400, 406). */
export function rendering(context: ApiContext, { request, resource }: ResourceRequest): Rendering {
  const wanted = negotiate(request.headers.accept);
  return renderingOf(request.query, { resource, wanted, now: context.clock.now() });
}

/** Adds what the client should know to an answer. */
export function withWarnings<T extends Answer>(answer: T, warnings: readonly string[]): T {
  const texts = warnings.map((text) => `299 - ${JSON.stringify(text.replaceAll(/\s+/g, " "))}`);
  const before = answer.headers?.["warning"] ?? [];
  const warning = [...texts, ...(typeof before === "string" ? [before] : before)];
  return warning.length === 0 ? answer : { ...answer, headers: { ...answer.headers, warning } };
}

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

function requireVerb({ request, path, resource }: ResourceRequest): void {
  const known =
    path.subresource === "" ? resource.verbs : (resource.subresources.get(path.subresource)?.verbs ?? []);
  const isCollection = path.name === "";
  const verb =
    request.method === "DELETE"
      ? isCollection
        ? "deletecollection"
        : "delete"
      : (verbs[request.method] ?? (isCollection ? "list" : "get"));
  const isOfWrongPath =
    verb === "create" ? !isCollection : isCollection && ["update", "patch"].includes(verb);
  const isUnplaced =
    resource.namespaced &&
    path.namespace === "" &&
    (!isCollection || verb === "create" || verb === "deletecollection");
  if (!known.includes(verb) || isOfWrongPath || isUnplaced) {
    throw methodNotAllowedError();
  }
}

async function read(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path, resource } = asked;
  if (path.name !== "" && !path.watch) {
    const object = requireObject(context, asked);
    requireRevision(request.query.get("resourceVersion") ?? "");
    return renderObject(rendering(context, asked), 200, resource.fromStorage(treeOf(object)));
  }
  const options = readListOptions(request.query, path.watch);
  const form = rendering(context, asked);
  const scope = scopeOf(resource, path, options);
  if (!options.watch) {
    return renderList(form, listObjects(context, { resource, scope, options }));
  }
  requireJson(form.wanted);
  requireRevision(options.resourceVersion);
  const watch = {
    context,
    resource,
    scope,
    options,
    encode: eventEncoder(form),
    encodeBookmark: bookmarkEncoder(form),
    bookmarkEveryMs: asked.bookmarkEveryMs,
  };
  return { kind: "stream", contentType: jsonType, run: (sink, signal) => runWatch(watch, sink, signal) };
}

async function create(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path, resource } = asked;
  const form = rendering(context, asked);
  const options = readWriteOptions("CreateOptions", request);
  const { object, warnings } = await readObject(request, resource, options.fieldValidation);
  const written = createObject(context, { resource, namespace: path.namespace, object, options });
  return answerWritten(form, 201, written, warnings);
}

async function replace(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path, resource } = asked;
  const form = rendering(context, asked);
  const options = readWriteOptions("UpdateOptions", request);
  const { object, warnings } = await readObject(request, resource, options.fieldValidation);
  takeNamespace(object, resource.namespaced, path.namespace);
  requireName(object, path.name);
  const current = context.store.get(resource.bucket, resource.namespaced ? path.namespace : "", path.name);
  if (current === undefined && resource.rules.createOnUpdate === true && path.subresource === "") {
    return answerWritten(
      form,
      201,
      createObject(context, { resource, namespace: path.namespace, object, options }),
      warnings,
    );
  }
  const update = {
    resource,
    subresource: path.subresource,
    current: requireFound(current, resource, path.name),
    options,
  };
  return answerWritten(form, 200, updateObject(context, update, object), warnings);
}

async function patch(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path, resource } = asked;
  const type = patchTypeOf(request, resource);
  const form = rendering(context, asked);
  const isApply = type === applyPatchType;
  const options = readWriteOptions("PatchOptions", request, isApply);
  const { subresource, namespace, name } = path;
  if (isApply) {
    const { config, warnings } = await readConfig(request, options);
    const current = context.store.get(resource.bucket, resource.namespaced ? namespace : "", name);
    if (current === undefined && subresource !== "") {
      throw notFoundError(resource, name);
    }
    const written = applyObject(
      context,
      { resource, subresource, namespace, name, config, options },
      current,
    );
    return answerWritten(form, current === undefined ? 201 : 200, written, warnings);
  }
  const current = requireObject(context, asked);
  const { object, warnings } = applyPatch(current, { resource, request, type, options });
  takeNamespace(object, resource.namespaced, namespace);
  requireName(object, name);
  const written = updateObject(context, { resource, subresource, current, options }, object);
  return answerWritten(form, 200, written, warnings);
}

async function remove(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, resource } = asked;
  const form = rendering(context, asked);
  const options = await readDeleteOptions(request);
  const current = requireObject(context, asked);
  const deleted = deleteObject(context, { resource, current, options });
  const code = !deleted.gone && options.oldStyleCascade ? 202 : 200;
  if (!deleted.gone || resource.rules.returnsDeleted === true) {
    return renderObject(form, code, resource.fromStorage(deleted.object));
  }
  return jsonAnswer(code, deletedStatus(resource, current));
}

/** What DELETE answers where the object is gone and its kind does not return it. */
function deletedStatus(resource: ServedResource, current: StoredObject): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: current.name,
      ...(resource.group === "" ? {} : { group: resource.group }),
      kind: resource.resource,
      uid: current.uid,
    },
  };
}

async function removeAll(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { request, path, resource } = asked;
  const options = readListOptions(request.query);
  const deletion = await readDeleteOptions(request);
  const scope = scopeOf(resource, { namespace: path.namespace, name: "" }, options);
  const page = listObjects(context, { resource, scope, options });
  for (const item of page.items) {
    const current = context.store.get(item.bucket, item.namespace, item.name);
    if (current !== undefined) {
      deleteObject(context, { resource, current, options: deletion });
    }
  }
  return renderList(rendering(context, asked), { ...page, revision: context.store.revision });
}

async function answerWritten(
  form: Rendering,
  code: number,
  { object, stored, warnings }: Written,
  readWarnings: readonly string[],
): Promise<Answer> {
  const { resource } = form;
  const tree: Tree = stored === undefined ? object : treeOf(stored);
  const answer = await renderObject(form, code, resource.fromStorage(tree));
  return withWarnings(answer, [...new Set([...readWarnings, ...warnings])]);
}
