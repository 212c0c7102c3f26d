/**
 * Objects in protobuf, in which some of kubectl's commands send what they create. Answers are JSON, which the same
 * clients take as well. How messages are laid out is in the data of the built-in types.
 */
import { groupOf, versionOf } from "@weir/kube";
import type { ApiField, ApiType, ApiTypes, Shape } from "../schema/api-types.ts";
import { put, type Tree, type TreeNode } from "../tree.ts";
import { readSpecialMessage } from "./special-messages.ts";
import { bufferOf, readFields, signed, text, WireError } from "./wire.ts";

/** The content type of such bodies. */
export const protobufType = "application/vnd.kubernetes.protobuf";

const magic = Buffer.from("k8s\0");

/** Reads a body: what it is, and its fields as JSON would have them. Throws WireError. */
export function decodeProtobuf(types: ApiTypes, body: Uint8Array): Tree {
  if (!bufferOf(body.subarray(0, magic.length)).equals(magic)) {
    throw new WireError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  const envelope = new Map(
    [...readFields(body.subarray(magic.length))].map((field) => [field.number, field.value]),
  );
  const typeMeta = new Map(
    [...readFields(bytesOf(envelope.get(1)))].map((field) => [field.number, field.value]),
  );
  const apiVersion = text(typeMeta.get(1) ?? 0n);
  const kind = text(typeMeta.get(2) ?? 0n);
  const type = types.ofKind(groupOf(apiVersion), versionOf(apiVersion), kind);
  if (type === undefined) {
    throw new WireError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  return { kind, apiVersion, ...readMessage(type, bytesOf(envelope.get(2)), "") };
}

/** A message of a type; `way` leads to it where it is the message of an embedded struct. */
function readMessage(type: ApiType, bytes: Uint8Array, way: string): Tree {
  const tree: Tree = {};
  const layout = layoutOf(type, way);
  for (const { number, value } of readFields(bytes)) {
    const place = layout.get(number);
    if (place === "embedded") {
      Object.assign(tree, readMessage(type, bytesOf(value), `${way}${number}.`));
    } else if (place !== undefined) {
      readField(tree, place, value);
    }
  }
  return tree;
}

/** The fields of a message by their numbers. */
function layoutOf(type: ApiType, way: string): ReadonlyMap<number, ApiField | "embedded"> {
  const layout = new Map<number, ApiField | "embedded">();
  for (const field of type.fields) {
    if (field.proto.startsWith(way) && field.proto !== "") {
      const [number, ...rest] = field.proto.slice(way.length).split(".");
      layout.set(Number(number), rest.length === 0 ? field : "embedded");
    }
  }
  return layout;
}

function readField(tree: Tree, { name, shape }: ApiField, value: bigint | Uint8Array): void {
  const before = tree[name];
  switch (shape.kind) {
    case "list":
      tree[name] = [...(Array.isArray(before) ? before : []), readValue(shape.items, value)];
      break;
    case "map": {
      const map = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
      const entry = new Map([...readFields(bytesOf(value))].map((field) => [field.number, field.value]));
      put(
        map,
        text(entry.get(1) ?? new Uint8Array()),
        readValue(shape.values, entry.get(2) ?? new Uint8Array()),
      );
      tree[name] = map;
      break;
    }
    default:
      tree[name] = readValue(shape, value);
  }
}

function readValue(shape: Shape, value: bigint | Uint8Array): TreeNode {
  switch (shape.kind) {
    case "string":
      return text(value);
    case "bool":
      return signed(value) !== 0;
    case "int32":
    case "int64":
      return signed(value);
    case "float":
      return typeof value === "bigint" ? doubleOf(value) : 0;
    case "bytes":
      return bufferOf(bytesOf(value)).toString("base64");
    case "list":
      // A list within a list or map is a message with its items in field 1.
      return [...readFields(bytesOf(value))].map((item) => readValue(shape.items, item.value));
    case "map":
      return {};
    case "struct":
      return readMessage(shape.type, bytesOf(value), "");
    case "special":
      return readSpecialMessage(shape.go, bytesOf(value));
  }
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, bits));
  return bytes.readDoubleLE();
}

function bytesOf(value: bigint | Uint8Array | undefined): Uint8Array {
  return typeof value === "object" ? value : new Uint8Array();
}
