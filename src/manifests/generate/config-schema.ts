import type { Schema } from "./schema.ts";

const command: Schema = {
  type: "object",
  required: ["command"],
  properties: { command: { type: "string" }, timeout: { type: "string" } },
  additionalProperties: false,
};

const commands: Schema = { type: "array", items: command };

const version: Schema = { const: 1 };

const commandUpdated: Schema = {
  required: ["generators"],
  properties: {
    generators: commands,
    updaters: {
      type: "array",
      items: { type: "object", properties: { containerImage: command, policy: command } },
    },
  },
  additionalProperties: false,
};

const patchUpdated: Schema = {
  required: ["generators", "patchFile"],
  properties: { patchFile: { type: "string" }, generators: commands },
  additionalProperties: false,
};

/**
 * The schema of a .flux.yaml, based on the one in Flux's pkg/manifests/configfile.go, and as loose: scanForFiles
 * together with another section counts as that section, and the sections needn't be mappings.
 */
export const configSchema: Schema = {
  type: "object",
  oneOf: [
    { required: ["version", "commandUpdated"], properties: { version, commandUpdated } },
    { required: ["version", "patchUpdated"], properties: { version, patchUpdated } },
    {
      required: ["version", "scanForFiles"],
      properties: { version, scanForFiles: { additionalProperties: false } },
      additionalProperties: false,
    },
  ],
};
