import type { JsonReader } from "@weir/base";
import type { HookAction } from "../hook.ts";
import { pushedImage } from "../payload.ts";

/**
 * What follows from an event of the CNCF's Distribution, which Azure sends in the same shape: only pushes of
 * manifests with a tag count, not pulls, layers, and the parts of an index.
 */
export function actionsOf(event: JsonReader, registryHost: string): readonly HookAction[] {
  const target = event.object("target");
  const tag = target.text("tag");
  const host = registryHost || event.object("request").text("host");
  return event.text("action") === "push" && tag !== ""
    ? [pushedImage(host, target.text("repository"), tag)]
    : [];
}
