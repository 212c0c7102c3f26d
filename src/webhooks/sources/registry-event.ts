import type { JsonReader } from "@weir/base";
import type { HookAction } from "../hook.ts";
import { pushedImage } from "../payload.ts";

/**
 * The actions that follow from an event of the CNCF's Distribution, whose format Azure also uses. Only pushes of tagged
 * manifests count, and not pulls, layers, or the parts of an index.
 */
export function actionsOf(event: JsonReader, registryHost: string): readonly HookAction[] {
  const target = event.object("target");
  const tag = target.text("tag");
  const host = registryHost || event.object("request").text("host");
  return event.text("action") === "push" && tag !== ""
    ? [pushedImage(host, target.text("repository"), tag)]
    : [];
}
