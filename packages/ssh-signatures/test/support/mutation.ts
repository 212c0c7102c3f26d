import { fc } from "@weir/testing/property";

/** A change to bytes, at a place between 0 (their start) and 1 (their end). */
export interface Mutation {
  readonly kind: "flip" | "set" | "insert" | "remove" | "repeat" | "cut" | "length";
  readonly place: number;
  readonly value: number;
}

/** One to four changes. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("flip", "set", "insert", "remove", "repeat", "cut", "length"),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(255),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The bytes after some changes. */
export function mutate(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce(change, bytes);
}

function change(bytes: Buffer, { kind, place, value }: Mutation): Buffer {
  const at = Math.floor(place * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (kind) {
    case "flip":
      return Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ (1 << (value % 8))), after.subarray(1)]);
    case "set":
      return Buffer.concat([before, Buffer.of(value), after.subarray(1)]);
    case "insert":
      return Buffer.concat([before, Buffer.of(value), after]);
    case "remove":
      return Buffer.concat([before, after.subarray(1 + (value % 40))]);
    case "repeat":
      return Buffer.concat([before, after.subarray(0, value), after]);
    case "cut":
      return Buffer.from(before);
    case "length":
      // The most significant byte of a length: a string of gigabytes.
      return Buffer.concat([before, Buffer.of(value, 0xff, 0xff, 0xff), after.subarray(4)]);
  }
}
