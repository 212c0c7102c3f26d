/**
 * A place in an object: what Kubernetes calls its `field.Path`, with the value that stands there and what the
 * schema states about it. Rules walk an object with `at` and `each`, read values, and report faults; neither the
 * path nor the value is written twice.
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { groupOf, versionOf } from "@weir/kube";
import * as errors from "../field-errors.ts";
import { type FieldError, type Found, faults } from "../field-errors.ts";
import { type ApiField, type ApiType, loadApiTypes, type Shape } from "../schema/api-types.ts";
import { isTree, own, semanticallyEqual, stringMapAt, type Tree, type TreeNode } from "../tree.ts";
import { rangeMessage, type TextRule } from "./text-rules.ts";

/** What the schema states about a place; all of it is absent where there is no schema, as in custom resources. */
interface Facts {
  readonly shape?: Shape | undefined;
  readonly isRequired?: boolean;
  /** The words that it may hold; none where the schema lists none. */
  readonly words?: readonly string[];
  /** How an error shows it where it is not set: the zero value of its type, or null. */
  readonly zero?: TreeNode;
}

/** A place in an object. Reading is lenient: what is not set, or of another type, reads as empty. */
export class Field {
  /** As errors name it, e.g. "spec.ports[0].port"; "" for the whole object. */
  readonly path: string;
  readonly value: TreeNode | undefined;
  readonly #facts: Facts;

  private constructor(path: string, value: TreeNode | undefined, facts: Facts) {
    this.path = path;
    this.value = value;
    this.#facts = facts;
  }

  /** A whole object. Its schema is that of its kind, where the kind is built in. */
  static of(object: Tree): Field {
    const { apiVersion, kind } = object;
    const version = typeof apiVersion === "string" ? apiVersion : "";
    const type = loadApiTypes().ofKind(
      groupOf(version),
      versionOf(version),
      typeof kind === "string" ? kind : "",
    );
    return new Field("", object, type === undefined ? {} : { shape: structOf(type) });
  }

  /** A value that stands alone, e.g. a parameter of a request. */
  static named(path: string, value: TreeNode | undefined): Field {
    return new Field(path, value, {});
  }

  /**
   * The place below this one, by one name or several with dots between, e.g. "spec.template".
   * Throws where the schema has no such field.
   */
  at(names: string): Field {
    return names.split(".").reduce<Field>((field, name) => field.#below(name), this);
  }

  /** The items of a list; none where there is none. */
  get items(): readonly Field[] {
    const { shape, words = [] } = this.#facts;
    const facts: Facts = { shape: shape?.kind === "list" ? shape.items : undefined, words };
    const list = Array.isArray(this.value) ? this.value : [];
    return list.map((item, index) => new Field(`${this.path}[${index}]`, item, facts));
  }

  /** The values of a map, e.g. at "spec.hard[cpu]", with their keys. */
  get entries(): readonly (readonly [key: string, value: Field])[] {
    return Object.keys(this.tree).map((key) => [key, this.key(key)]);
  }

  /** The value of a map under a key, which may have dots. */
  key(key: string): Field {
    const { shape } = this.#facts;
    const facts: Facts = { shape: shape?.kind === "map" ? shape.values : undefined };
    return new Field(`${this.path}[${key}]`, own(this.tree, key), facts);
  }

  /** The same place under another path, where the API server's errors name it so. */
  shownAs(path: string): Field {
    return new Field(path, this.value, this.#facts);
  }

  /** The same place with another value. */
  holding(value: TreeNode): Field {
    return new Field(this.path, value, this.#facts);
  }

  /** True where there is a value, be it empty. */
  get isSet(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  get isTrue(): boolean {
    return this.value === true;
  }

  /** The text; "" where there is none, as an unset Go string reads. */
  get text(): string {
    return typeof this.value === "string" ? this.value : "";
  }

  /** The number; 0 where there is none, as an unset Go integer reads. */
  get number(): number {
    return typeof this.value === "number" ? this.value : 0;
  }

  /** The object; an empty one where there is none. */
  get tree(): Tree {
    return isTree(this.value) ? this.value : {};
  }

  /** The texts of a list, other items left out. */
  get texts(): readonly string[] {
    return Array.isArray(this.value) ? this.value.filter((item) => typeof item === "string") : [];
  }

  /** A map of texts, e.g. labels; values of other types are left out. */
  get textMap(): ReadonlyMap<string, string> {
    return stringMapAt(this.value);
  }

  /** The words that the schema lists for it, in the order of the alphabet. */
  get words(): readonly string[] {
    return this.#facts.words ?? [];
  }

  /** True where both say the same; nothing, null, {} and [] are the same. */
  equals(other: Field): boolean {
    return semanticallyEqual(this.value, other.value);
  }

  /** The value, or another that the error is to show, has the wrong form. */
  invalid(detail: string, shown: TreeNode = this.#shown): FieldError {
    return errors.invalid(this.path, shown, detail);
  }

  /** The value is missing. */
  required(detail = ""): FieldError {
    return errors.required(this.path, detail);
  }

  /** The value is well formed but not allowed here. */
  forbidden(detail: string): FieldError {
    return errors.forbidden(this.path, detail);
  }

  /** The value, or another that the error is to show, is none of those that are known. */
  notSupported(known: readonly string[], shown: TreeNode = this.#shown): FieldError {
    return errors.notSupported(this.path, shown, known);
  }

  /** The value, or another that the error is to show, must be unique and is not. */
  duplicate(shown: TreeNode = this.#shown, detail = ""): FieldError {
    return errors.duplicate(this.path, shown, detail);
  }

  /** The text is too long. */
  tooLong(maxBytes: number): FieldError {
    return errors.tooLong(this.path, maxBytes);
  }

  /** Holds a text against all that the schema states, and a rule: it may be empty where the schema does not ask for it. */
  check(rule?: TextRule): FieldError[] {
    const { isRequired = false, words = [] } = this.#facts;
    if (this.text === "" && !isRequired) {
      return [];
    }
    if (words.length > 0) {
      return this.oneOf(words);
    }
    return this.text === "" ? [this.required()] : this.follows(rule ?? noRule);
  }

  /** Like `check`, but the text must be there, whatever the schema states. */
  needs(rule?: TextRule, detail = ""): FieldError[] {
    return this.text === "" ? [this.required(detail)] : this.check(rule);
  }

  /** Holds the text against a rule, also where it is empty. */
  follows(rule: TextRule): FieldError[] {
    return rule(this.text).map((message) => this.invalid(message, this.text));
  }

  /** One of a few words, for what the schema does not list, or not in the order in which the message names them. */
  oneOf(known: readonly string[]): FieldError[] {
    return known.includes(this.text) ? [] : [this.notSupported(known, this.text)];
  }

  /** A number, where it is set, that is not below another. */
  atLeast(least: number): FieldError[] {
    return faults(
      this.isSet && this.number < least && this.invalid(`must be greater than or equal to ${least}`),
    );
  }

  /** A number, 0 where it is not set, in a range with both ends. */
  between(low: number, high: number): FieldError[] {
    const number = this.number;
    return number >= low && number <= high ? [] : [this.invalid(rangeMessage(low, high), number)];
  }

  /** A field that must not change. */
  unchanged(old: Field): FieldError[] {
    return this.equals(old) ? [] : [this.invalid("field is immutable")];
  }

  /** What a check finds in the items of a list, in their order. */
  each(check: (item: Field, index: number) => Found): FieldError[] {
    return faults(...this.items.map(check));
  }

  /** What a check finds in some of the fields below, in the order of their names. */
  all(names: readonly string[], check: (field: Field) => Found): FieldError[] {
    return faults(...names.map((name) => check(this.at(name))));
  }

  /** Of some fields below, those that are set. */
  whichSet(names: readonly string[]): readonly Field[] {
    return names.map((name) => this.at(name)).filter((field) => field.isSet);
  }

  get #shown(): TreeNode {
    return this.value ?? this.#facts.zero ?? null;
  }

  #below(name: string): Field {
    const path = this.path === "" ? name : `${this.path}.${name}`;
    return new Field(path, own(this.tree, name), this.#factsBelow(name));
  }

  #factsBelow(name: string): Facts {
    const { shape } = this.#facts;
    if (shape?.kind === "map") {
      return { shape: shape.values };
    }
    if (shape?.kind !== "struct") {
      return {};
    }
    const field = shape.type.field(name);
    if (field === undefined) {
      throw new Error(`the schema of ${shape.type.name} has no field ${name}`);
    }
    return factsOf(field, shape.type);
  }
}

const noRule: TextRule = () => [];

function structOf(type: ApiType): Shape {
  return { kind: "struct", go: type.goName, type };
}

function factsOf(field: ApiField, type: ApiType): Facts {
  const { shape, schema, pointer } = field;
  const items = isJsonObject(schema["items"]) ? schema["items"] : {};
  return {
    shape,
    isRequired: wordsOf(type.schema["required"]).includes(field.name),
    words: wordsOf(schema["enum"] ?? items["enum"]),
    zero: pointer ? null : zeroOf(shape),
  };
}

function zeroOf(shape: Shape): TreeNode {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float":
      return 0;
    default:
      return null;
  }
}

function wordsOf(list: JsonValue | undefined): readonly string[] {
  return isJsonArray(list) ? list.filter((word) => typeof word === "string") : [];
}
