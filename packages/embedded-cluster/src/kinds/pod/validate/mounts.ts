/** Mounts of the volumes of a pod in its containers. */
import { type FieldError, faults, quote } from "../../../field-errors.ts";
import type { Field } from "../../../validate/field.ts";
import { descendingPath } from "../../../validate/text-rules.ts";

/** The mounts of a container: of volumes that are there, each at a place of its own. */
export function checkMounts(container: Field, volumes: ReadonlySet<string>): FieldError[] {
  const mounts = container.at("volumeMounts");
  const taken = new Set<string>();
  return mounts.each((mount) => {
    const [name, place] = [mount.at("name"), mount.at("mountPath")];
    // As in the API server, the paths of these errors do not say which mount is meant.
    const anyMount = mount.shownAs(mounts.path);
    return faults(
      name.check(),
      volumes.has(name.text) || notFound(name),
      place.check(),
      taken.size === taken.add(place.text).size && place.invalid("must be unique"),
      anyMount.at("subPath").follows(descendingPath),
      checkPropagation(anyMount.at("mountPropagation"), container),
    );
  });
}

function notFound({ path, text }: Field): FieldError {
  return { reason: "FieldValueNotFound", field: path, message: `Not found: ${quote(text)}` };
}

function checkPropagation(mode: Field, container: Field): FieldError[] {
  const why = "Bidirectional mount propagation is available only to privileged containers";
  const isPrivileged = container.at("securityContext.privileged").isTrue;
  return faults(mode.check(), mode.text === "Bidirectional" && !isPrivileged && mode.forbidden(why));
}
