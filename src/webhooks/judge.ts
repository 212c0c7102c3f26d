import { JsonShapeError } from "@weir/base";
import { canonicalImageName, InvalidImageRefError, printImageName } from "@weir/flux";
import { type Hook, type HookAction, type HookEndpoint, HookRefusedError, type Trust } from "./hook.ts";

/** More than any push causes; each action adds a line to the log and a request to a registry. */
const mostActions = 100;

/**
 * The actions that follow from a request, without duplicates; none if the request is about something else. Rejects only
 * with HookRefusedError, if the request isn't authentic or can't be parsed.
 */
export async function judgeHook(
  hook: Hook,
  endpoint: HookEndpoint,
  trust: Trust,
): Promise<readonly HookAction[]> {
  try {
    await endpoint.source.verify(hook, endpoint, trust);
    return merged(endpoint.source.read(hook, endpoint));
  } catch (error) {
    if (error instanceof JsonShapeError) {
      throw new HookRefusedError("malformed", error.message, { cause: error });
    }
    if (error instanceof InvalidImageRefError) {
      throw new HookRefusedError("malformed", "the payload contains an invalid image name", { cause: error });
    }
    throw error;
  }
}

function merged(actions: readonly HookAction[]): readonly HookAction[] {
  const byKey = new Map<string, HookAction>();
  for (const action of actions) {
    const key = keyOf(action);
    byKey.set(key, withTagsOf(byKey.get(key), action));
  }
  if (byKey.size > mostActions) {
    throw new HookRefusedError("malformed", `the payload contains more than ${mostActions} changes`);
  }
  return [...byKey.values()];
}

function keyOf(action: HookAction): string {
  switch (action.kind) {
    case "image":
      return `image ${printImageName(canonicalImageName(action.name))}`;
    case "git":
      return `git ${action.url} ${action.branch}`;
    case "confirm":
      return `confirm ${action.url.href}`;
  }
}

function withTagsOf(other: HookAction | undefined, action: HookAction): HookAction {
  return action.kind === "image" && other?.kind === "image"
    ? { ...action, tags: [...new Set([...(other.tags ?? []), ...(action.tags ?? [])])] }
    : action;
}
