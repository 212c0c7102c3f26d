import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { EditError } from "@weir/yaml/ruamel-yaml";
import { parseAllDocuments, stringify } from "yaml";
import type { EditStyle } from "../../../../src/manifests/edit/edit-file.ts";
import { ManifestNotFoundError } from "../../../../src/manifests/edit/errors.ts";
import { setAnnotations } from "../../../../src/manifests/edit/set-annotations.ts";
import { setImage } from "../../../../src/manifests/edit/set-image.ts";

const styles: readonly EditStyle[] = ["flux", "minimal"];
const target = { namespace: "default", kind: "deployment", name: "web" };
const image = "example.test/web:2";

interface Container {
  readonly name: string;
  readonly image: string;
}

/** A Deployment as data, with whatever else may stand in it. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

/** Text that is written without quotes where it can be: what the two readers of YAML 1.2 agree on. */
const plainText = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9 ./:-]{0,19}$/).map((text) => text.trim()),
  fc.constantFrom("yes", "no", "on", "~", "null", "1", "0o7", "0x1f", "1e3", ".5", "2001-01-01", "=", "<<"),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom("two\nlines\n", "ends in space \nx", "# no comment", "a: b", "- item", "'\""),
);
/** Any text, to be written in quotes; what only one of the readers takes for a line break is left out. */
const anyText = fc
  .oneof(plainText, fc.string({ maxLength: 20 }), fc.string({ unit: "grapheme", maxLength: 10 }))
  .filter((text) => !/[\u0085\u2028\u2029]/.test(text));

function anything(text: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
}

function manifestWith(text: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<Manifest> {
  const name = fc.stringMatching(/^[a-z.]{1,10}\/[a-z]{1,5}$/);
  return fc
    .record({
      annotations: fc.option(fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }), {
        nil: undefined,
      }),
      before: anything(text, key),
      between: anything(text, key),
      side: fc.boolean(),
    })
    .map(({ annotations, before, between, side }) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", ...(annotations === undefined ? {} : { annotations }) },
      other: before,
      spec: {
        replicas: 2,
        template: {
          spec: {
            volumes: between,
            containers: [
              ...(side ? [{ name: "side", image: "example.test/side:1" }] : []),
              { name: "main", image: "example.test/web:1" },
            ],
          },
        },
      },
    }));
}

const plain = fc.record({
  manifest: manifestWith(plainText, fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9._/-]{0,7}$/)),
  defaultStringType: fc.constant("PLAIN" as const),
});
const quoted = fc.record({
  manifest: manifestWith(anyText, anyText),
  defaultStringType: fc.constantFrom("QUOTE_DOUBLE" as const, "QUOTE_SINGLE" as const),
});

/** A manifest as somebody may have written it down, between others. */
const file: fc.Arbitrary<{ readonly text: string; readonly manifest: Manifest }> = fc
  .record({
    content: fc.oneof(plain, quoted),
    indent: fc.constantFrom(2, 3, 4),
    indentSeq: fc.boolean(),
    collectionStyle: fc.constantFrom("any" as const, "flow" as const),
    comment: fc.constantFrom("", "# a comment\n", "\n\n# two\n# lines\n\n"),
    isAmongOthers: fc.boolean(),
  })
  .map(({ content: { manifest, ...style }, comment, isAmongOthers, ...layout }) => {
    const own = comment + stringify(manifest, { ...style, ...layout, lineWidth: 0 });
    const other = "apiVersion: v1\nkind: ConfigMap # kept\nmetadata: {name: other}\n";
    return { manifest, text: isAmongOthers ? `${other}---\n${own}---\n${other}` : own };
  });

describe("an edit of a manifest", () => {
  for (const style of styles) {
    it(`changes the image and no other value (${style})`, () => {
      fc.assert(
        fc.property(file, ({ text, manifest }) => {
          const edited = setImage(text, target, { container: "main", image, style });

          assert.deepEqual(deploymentIn(edited), withImage(manifest));
        }),
        runs(300),
      );
    });

    it(`changes annotations and no other value (${style})`, () => {
      fc.assert(
        fc.property(
          file,
          anyText.filter((text) => text !== ""),
          ({ text, manifest }, value) => {
            const [first] = Object.keys(manifest.metadata.annotations ?? {});
            const changes = [
              { key: "fluxcd.io/automated", value },
              ...(first === undefined ? [] : [{ key: first, value: undefined }]),
            ];

            const edited = setAnnotations(text, target, { changes, style });

            const others = Object.entries(manifest.metadata.annotations ?? {}).filter(
              ([key]) => key !== first,
            );
            const annotations = { ...Object.fromEntries(others), "fluxcd.io/automated": value };
            const expected = { ...manifest, metadata: { ...manifest.metadata, annotations } };
            assert.deepEqual(deploymentIn(edited), expected);
          },
        ),
        runs(300),
      );
    });

    it(`done twice is done once (${style})`, () => {
      fc.assert(
        fc.property(file, ({ text }) => {
          const once = setImage(text, target, { container: "main", image, style });

          assert.equal(setImage(once, target, { container: "main", image, style }), once);
        }),
        runs(300),
      );
    });

    it(`says what is wrong with anything else, and never breaks down (${style})`, () => {
      const mutated = fc
        .tuple(
          file,
          fc.nat(),
          fc.constantFrom("", ":", "-", "{", "]", "&a ", "*a", "\t", "\0", "'", "|", "%", "!"),
        )
        .map(([{ text }, at, piece]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + piece + text.slice(place + (at % 3));
        });
      fc.assert(
        fc.property(fc.oneof(mutated, fc.string(), fc.string({ unit: "binary" })), (text) => {
          try {
            setImage(text, target, { container: "main", image, style });
          } catch (error) {
            assert.ok(error instanceof EditError || error instanceof ManifestNotFoundError, String(error));
          }
        }),
        runs(1000),
      );
    });
  }
});

function deploymentIn(text: string): unknown {
  const documents = parseAllDocuments(text, { version: "1.2" });
  const values = documents.map((document) => document.toJS() as unknown);
  return values.find((value) => JSON.stringify(value).includes('"Deployment"'));
}

function withImage(manifest: Manifest): Manifest {
  const { containers } = manifest.spec.template.spec;
  const next = containers.map((one) => (one.name === "main" ? { ...one, image } : one));
  return {
    ...manifest,
    spec: {
      ...manifest.spec,
      template: { ...manifest.spec.template, spec: { ...manifest.spec.template.spec, containers: next } },
    },
  };
}
