/** How two values differ, a line for each place: "3.body.message: "a", not "b"". */
export function differences(expected: unknown, said: unknown, path = ""): readonly string[] {
  if (Object.is(expected, said)) {
    return [];
  }
  if (!isContainer(expected) || !isContainer(said) || Array.isArray(expected) !== Array.isArray(said)) {
    return [`${path}: should be ${show(expected)}, is ${show(said)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(said)]);
  return [...keys].flatMap((key) =>
    differences(expected[key], said[key], path === "" ? key : `${path}.${key}`),
  );
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
