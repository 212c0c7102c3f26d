import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { fc, runs } from "@weir/testing/property";
import { type WebhookSample, webhookSamples } from "../../support/webhook-samples.ts";
import { judged } from "../../support/webhooks.ts";

/** All headers that any source looks at, with what it may find there. */
const headers = fc.dictionary(
  fc.constantFrom(...new Set(webhookSamples.flatMap(({ headers, body }) => Object.keys(headers(body))))),
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("push", "sha256=", "sha1=00", "Bearer ", "Bearer a.b.c", "Notification", "repo:push"),
  ),
);

const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each));

/** The text with one character put in, taken out or changed. */
function mutated(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length - 1 });
  return fc
    .tuple(place, fc.string({ unit: "binary", maxLength: 2 }), fc.nat({ max: 2 }))
    .map(([at, put, taken]) => text.slice(0, at) + put + text.slice(at + taken))
    .filter((each) => each !== text);
}

/** The value with another in the place of one of its parts. */
function withPartReplaced(value: JsonValue): fc.Arbitrary<JsonValue> {
  const paths = pathsIn(value);
  return fc
    .tuple(fc.constantFrom(...paths), fc.jsonValue())
    .map(([path, part]) => replaced(value, path, part as JsonValue));
}

function pathsIn(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  const parts = isJsonObject(value) || isJsonArray(value) ? Object.entries(value) : [];
  return [path, ...parts.flatMap(([key, part]) => pathsIn(part ?? null, [...path, key]))];
}

function replaced(value: JsonValue, [key, ...rest]: readonly string[], part: JsonValue): JsonValue {
  if (key === undefined) {
    return part;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, part) : item));
  }
  return isJsonObject(value) ? { ...value, [key]: replaced(value[key] ?? null, rest, part) } : value;
}

/** What becomes of a request: a refusal, or something that can be done. Anything else that is thrown fails the law. */
async function judgedSample(
  { endpoint }: WebhookSample,
  body: string | Buffer,
  given: Readonly<Record<string, string>>,
): Promise<Awaited<ReturnType<typeof judged>>> {
  const result = await judged(endpoint, { body, headers: given });
  if (typeof result !== "string") {
    for (const action of result) {
      assert.ok(action.kind !== "image" || action.name.image !== "", "an image has a name");
      assert.ok(action.kind !== "git" || (action.url !== "" && action.branch !== ""), "a push has a place");
      assert.ok(action.kind !== "confirm" || action.url.hostname.endsWith(".amazonaws.com"));
    }
  }
  return result;
}

for (const sample of webhookSamples) {
  const { title, endpoint, body, proof } = sample;
  const proves = endpoint.source.proves(endpoint);
  /** As a message of SNS, in which not every byte counts. */
  const isSignedInside = proves && proof === undefined;

  describe(`requests at an endpoint of ${title}`, () => {
    it("that are noise are refused", async () => {
      await fc.assert(
        fc.asyncProperty(bytes, headers, async (noise, given) => {
          const result = await judgedSample(sample, noise, given);

          assert.ok(!proves || typeof result === "string", `noise brings ${JSON.stringify(result)}`);
        }),
        runs(150),
      );
    });

    it("that were changed on their way change nothing else", async () => {
      const given = sample.headers(body);
      await fc.assert(
        fc.asyncProperty(mutated(body), async (other) => {
          const result = await judgedSample(sample, other, given);

          const isSigned = JSON.stringify(given) !== JSON.stringify(sample.headers(other));
          if (isSigned) {
            assert.equal(result, "unauthorized");
          } else if (isSignedInside && typeof result !== "string") {
            assert.deepEqual(result, sample.actions);
          }
        }),
        runs(150),
      );
    });

    it("that hold anything, and are the service's all the same, are refused or understood", async () => {
      const parts = withPartReplaced(JSON.parse(body) as JsonValue);
      await fc.assert(
        fc.asyncProperty(fc.oneof(parts, fc.jsonValue()), async (value) => {
          const text = JSON.stringify(value);

          await judgedSample(sample, text, sample.headers(text));
        }),
        runs(150),
      );
    });

    if (proof !== undefined) {
      it("that do not prove what they are, or not quite, are refused", async () => {
        const given = sample.headers(body);
        const good = given[proof] ?? "";

        assert.equal(await judgedSample(sample, body, { ...given, [proof]: "" }), "unauthorized");
        await fc.assert(
          fc.asyncProperty(mutated(good), async (bad) => {
            // A header holds bytes, each of which is a character.
            fc.pre(/^[\0-\xff]*$/.test(bad));
            // Hex digits, and the word Bearer, may be written in capitals; what is around a header is not of it.
            fc.pre(bad.trim().toLowerCase().replace(/ +/g, " ") !== good.toLowerCase());

            const result = await judgedSample(sample, body, { ...given, [proof]: bad });

            assert.equal(result, "unauthorized");
          }),
          runs(150),
        );
      });
    }
  });
}
