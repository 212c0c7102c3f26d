/** The webhook configuration: the file format of flux-recv, and Weir's additions. Pure. */

import { isJsonObject, JsonReader, JsonShapeError, type JsonValue } from "@weir/base";
import { load, YAMLException } from "js-yaml";
import type { GoogleIdentity, HookEndpoint } from "./hook.ts";
import { hookSources } from "./sources.ts";

/** An endpoint whose key hasn't been read yet. */
export interface EndpointConfig extends Omit<HookEndpoint, "keys"> {
  /** The path of the key file, relative to the folder of the configuration. */
  readonly keyPath: string;
}

/**
 * Parses a configuration. As in flux-recv, the case of keys is ignored, and so are unknown keys. Throws
 * WebhooksConfigError.
 */
export function parseWebhooksConfig(text: string): readonly EndpointConfig[] {
  const config = loadYaml(text);
  if (!isJsonObject(config)) {
    throw new WebhooksConfigError("it isn't a mapping with the keys fluxRecvVersion and endpoints");
  }
  try {
    return readConfig(new JsonReader(config));
  } catch (error) {
    if (error instanceof JsonShapeError) {
      throw new WebhooksConfigError(error.message, { cause: error });
    }
    throw error;
  }
}

/** The configuration can't be used; the message says where the problem is, and how to fix it. */
export class WebhooksConfigError extends Error {
  override readonly name = "WebhooksConfigError";
}

function loadYaml(text: string): unknown {
  try {
    return load(text);
  } catch (error) {
    if (error instanceof YAMLException) {
      const at = error.mark ? ` at line ${error.mark.line + 1}` : "";
      throw new WebhooksConfigError(`it isn't valid YAML${at}: ${error.reason}`, { cause: error });
    }
    throw error;
  }
}

function readConfig(config: JsonReader): readonly EndpointConfig[] {
  if (config.integer("fluxRecvVersion") !== 1) {
    throw new WebhooksConfigError("fluxRecvVersion must be 1");
  }
  const endpoints = config.list("endpoints", endpointAt) ?? [];
  if (endpoints.length === 0) {
    throw new WebhooksConfigError("it has no endpoints; add at least one under the key endpoints");
  }
  return endpoints;
}

function endpointAt(value: JsonValue, path: string): EndpointConfig {
  const endpoint = new JsonReader(value, path);
  const name = endpoint.text("source");
  const source = hookSources.get(name);
  if (source === undefined) {
    const known = [...hookSources.keys()].join(", ");
    throw new WebhooksConfigError(`${path}.source is ${JSON.stringify(name)}; use one of ${known}`);
  }
  const keyPath = endpoint.text("keyPath");
  if (keyPath === "") {
    throw new WebhooksConfigError(
      `${path}.keyPath is missing; set it to the path of the file with the shared secret`,
    );
  }
  const google = endpoint.value("gcr", googleAt);
  return {
    name,
    source,
    keyPath,
    registryHost: endpoint.text("registryHost"),
    signed: endpoint.flag("signed"),
    topicArn: endpoint.object("ecr").text("topicArn"),
    ...(google === undefined ? {} : { google }),
  };
}

function googleAt(value: JsonValue, path: string): GoogleIdentity {
  const gcr = new JsonReader(value, path);
  const audience = gcr.text("audience");
  if (audience === "") {
    throw new WebhooksConfigError(
      `${path}.audience is missing; set it to the audience of the Pub/Sub subscription`,
    );
  }
  return { audience, email: gcr.text("email") };
}
