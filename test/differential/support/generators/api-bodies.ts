import { isJsonArray, type JsonValue } from "@weir/base";
import { fc } from "@weir/testing/property";
import { anyImageText, image } from "./images.ts";
import { tagFilter } from "./policies.ts";

const id = fc.constantFrom(
  "default:deployment/web",
  "default:Deployment/Web",
  "<cluster>:namespace/x",
  "a/old",
);
const anyId = fc.oneof({ arbitrary: id, weight: 6 }, fc.constantFrom("", "no id", "n.s:kind/x", "a:b/"));
const kind = fc.constantFrom("plan", "execute", "nonsense", "");
const cause = fc.constantFrom<JsonValue>({ Message: "why", User: "Ann <a@b.test>" }, {}, { User: "x" });

const imageSpec = object({
  ServiceSpecs: fc.array(fc.oneof(anyId, fc.constant("<all>")), { maxLength: 2 }),
  ImageSpec: fc.oneof(fc.constant("<all latest>"), anyImageText),
  Kind: kind,
  Excludes: fc.option(fc.array(id, { maxLength: 2 })),
  Force: fc.boolean(),
});

const containerUpdate = object(
  { Container: fc.constantFrom("main", ""), Current: image, Target: image },
  "Target",
);

const containersSpec = object({
  Kind: kind,
  ContainerSpecs: byId(fc.array(containerUpdate, { maxLength: 2 })),
  SkipMismatches: fc.boolean(),
  Force: fc.boolean(),
});

const policySet = fc.oneof(
  fc.dictionary(
    fc.constantFrom("automated", "locked", "tag.main", "tag_all", "other"),
    fc.oneof(tagFilter, fc.constant("true")),
  ),
  fc.array(fc.constantFrom("automated", "locked"), { maxLength: 2 }),
  fc.constant(null),
);

const policyUpdates = byId(object({ add: policySet, remove: policySet }));

const updates = fc.oneof(
  updateOf("image", imageSpec),
  updateOf("containers", containersSpec),
  updateOf("policy", policyUpdates),
  updateOf("auto", object({})),
  updateOf("sync", object({})),
  updateOf("nonsense", object({})),
);

const changes = object({
  Kind: fc.constantFrom("git", "image", "", "nonsense"),
  Source: fc.constantFrom<JsonValue>(
    { URL: "git@git.test:x/y", Branch: "master" },
    { Name: { Domain: "example.test", Image: "app" } },
    {},
  ),
});

/** What may stand where something else should. */
const odd = fc.constantFrom<JsonValue>(null, 0, 3.5, "", "text", true, [], {}, [null], { a: null });

/** The body of an update, well formed or with something odd in it. */
export const updateBody = withMutations(updates);
/** The body of a change of policies. */
export const policiesBody = withMutations(policyUpdates);
/** The body of a notice. */
export const changeBody = withMutations(changes);

/** Mostly the value itself; else one place in it replaced, left out, or under its key in other letters. */
function withMutations(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  const mutated = fc
    .tuple(values, fc.nat(), odd, fc.constantFrom("replace", "remove", "upper case", "lower case"))
    .map(([value, at, other, how]) => {
      const places = placesIn(value);
      const place = places[at % places.length] ?? [];
      return change(value, place, other, how);
    });
  return fc.oneof(values, mutated, odd);
}

type Place = readonly (string | number)[];

function placesIn(value: JsonValue, at: Place = []): readonly Place[] {
  return [at, ...membersOf(value).flatMap(([key, item]) => placesIn(item, [...at, key]))];
}

function change(value: JsonValue, [key, ...rest]: Place, other: JsonValue, how: string): JsonValue {
  if (key === undefined) {
    return other;
  }
  const members = membersOf(value).flatMap(([name, item]): readonly (readonly [string, JsonValue])[] => {
    if (name !== key) {
      return [[name, item]];
    }
    if (rest.length > 0 || how === "replace") {
      return [[name, change(item, rest, other, how)]];
    }
    return how === "remove" ? [] : [[how === "upper case" ? name.toUpperCase() : name.toLowerCase(), item]];
  });
  return isJsonArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
}

function membersOf(value: JsonValue): readonly (readonly [key: string, item: JsonValue])[] {
  return typeof value === "object" && value !== null
    ? Object.entries(value).map(([key, item]) => [key, item ?? null])
    : [];
}

function updateOf(type: string, spec: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return object({ type: fc.constant(type), cause, spec }, "type", "spec");
}

/** An object in which any field may be missing that is not required. */
function object(
  fields: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
  ...required: readonly string[]
): fc.Arbitrary<JsonValue> {
  return fc
    .record<Record<string, JsonValue>>(fields, { requiredKeys: [...required] })
    .map((value) => ({ ...value }));
}

function byId(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.dictionary(anyId, values, { maxKeys: 2 });
}
