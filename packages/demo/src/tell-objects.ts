import type { Told } from "./told.ts";

/** One object of the cluster, as far as it's told. */
export interface SeenObject {
  /** What is worth knowing about it; "" if only its being there is. */
  readonly state: string;
  /** Another one means that it was deleted in between. */
  readonly uid: string;
}

/** Objects by kind and name. */
export type SeenObjects = ReadonlyMap<string, SeenObject>;

/** Tells what is new, changed, made again, or gone. */
export function tellObjects(before: SeenObjects, now: SeenObjects): readonly Told[] {
  return [
    ...[...now].flatMap(([name, object]) => tellObject(name, object, before.get(name))),
    ...[...before.keys()].filter((name) => !now.has(name)).map((name): Told => ({ sign: "-", text: name })),
  ];
}

function tellObject(name: string, { state, uid }: SeenObject, before?: SeenObject): readonly Told[] {
  const text = state === "" ? name : `${name}: ${state}`;
  if (before === undefined) {
    return [{ sign: "+", text }];
  }
  if (before.uid !== uid) {
    return [{ sign: "+", text: `${name} is there again` }];
  }
  return before.state === state ? [] : [{ sign: "~", text }];
}
