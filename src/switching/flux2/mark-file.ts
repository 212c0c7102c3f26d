import { equalJson, type JsonValue } from "@weir/base";
import { isSameRepository, parseImageRefLoosely, partsOfResourceId } from "@weir/flux";
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Scalar, type YAMLMap } from "yaml";
import type { Marker } from "./markers.ts";

/** What happens to a marker for an image in a file. */
export interface Mark {
  readonly marker: Marker;
  /** Starts at 1. */
  readonly line: number;
  /** "refused" if a person has to edit the line. */
  readonly outcome: "added" | "there already" | "refused";
  /** Why it's refused; "" otherwise. */
  readonly reason: string;
}

/** A file with its markers. */
export interface MarkedFile {
  /** The same as before, apart from the added comments. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

/**
 * Adds the markers to the images of a file's manifests, each as a comment at the end of its line. Existing markers
 * stay, and a line with another comment doesn't change. A file that isn't YAML, or whose meaning the comments would
 * change, stays the same. Objects without a namespace are in `defaultNamespace`.
 */
export function markFile(text: string, markers: readonly Marker[], defaultNamespace: string): MarkedFile {
  const places = placesIn(text, markers, defaultNamespace);
  const marks = places.map((place) => judge(place, text));
  const added = places.filter((_, index) => marks[index]?.outcome === "added");
  const marked = added
    .toSorted((a, b) => b.end - a.end)
    .reduce(
      (current, { end, marker }) => `${current.slice(0, end)} ${marker.comment}${current.slice(end)}`,
      text,
    );
  if (marked === text || isSameContent(text, marked)) {
    return { text: marked, marks };
  }
  return {
    text,
    marks: marks.map((mark) => refuse(mark, "a comment there would change what the file means")),
  };
}

/** An image that a marker is for. */
interface Place {
  readonly marker: Marker;
  readonly line: number;
  readonly image: string;
  readonly isOnOneLine: boolean;
  /** Where the value ends. */
  readonly end: number;
}

function placesIn(text: string, markers: readonly Marker[], defaultNamespace: string): readonly Place[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) {
    return [];
  }
  return documents
    .flatMap(({ contents }) => (isMap(contents) ? objectsIn(contents) : []))
    .flatMap((object) =>
      markers
        .filter(({ workload }) => isWorkload(object, partsOfResourceId(workload), defaultNamespace))
        .flatMap((marker) =>
          imagesOf(object, marker.container).flatMap(({ value, range }) =>
            typeof value === "string" && range
              ? [
                  {
                    marker,
                    image: value,
                    isOnOneLine: !/[\r\n]/.test(text.slice(range[0], range[1])),
                    end: range[1],
                    line: lines.linePos(range[0]).line,
                  },
                ]
              : [],
          ),
        ),
    );
}

/** The object itself, or those of a List. */
function objectsIn(object: YAMLMap): readonly YAMLMap[] {
  const items = textAt(object, ["kind"]) === "List" ? object.get("items") : undefined;
  return isSeq(items) ? items.items.filter((each) => isMap(each)) : [object];
}

function isWorkload(
  object: YAMLMap,
  { namespace, kind, name }: ReturnType<typeof partsOfResourceId>,
  defaultNamespace: string,
): boolean {
  return (
    textAt(object, ["kind"])?.toLowerCase() === kind &&
    textAt(object, ["metadata", "name"]) === name &&
    (textAt(object, ["metadata", "namespace"]) ?? defaultNamespace) === namespace
  );
}

/** Skips aliases: other objects may use the same value. */
function imagesOf(object: YAMLMap, container: string): readonly Scalar[] {
  const path = object.hasIn(["spec", "jobTemplate"]) ? ["spec", "jobTemplate", "spec"] : ["spec"];
  const spec: unknown = object.getIn([...path, "template", "spec"]);
  if (!isMap(spec)) {
    return [];
  }
  return ["containers", "initContainers"].flatMap((key) => {
    const list: unknown = spec.get(key);
    const containers = isSeq(list) ? list.items.filter((each) => isMap(each)) : [];
    return containers
      .filter((each) => textAt(each, ["name"]) === container)
      .map((each): unknown => each.get("image", true))
      .filter((image) => isScalar(image));
  });
}

function textAt(object: YAMLMap, path: readonly string[]): string | undefined {
  const value: unknown = object.getIn(path);
  return typeof value === "string" ? value : undefined;
}

function judge({ marker, line, image, isOnOneLine, end }: Place, text: string): Mark {
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0].trim() ?? "";
  const mark = { marker, line, outcome: "added", reason: "" } as const;
  if (rest === marker.comment) {
    return { ...mark, outcome: "there already" };
  }
  const ref = parseImageRefLoosely(image);
  if (!isSameRepository(ref, parseImageRefLoosely(marker.image))) {
    return refuse(mark, `the manifest has image ${image}, but ${marker.image} is running`);
  }
  if (ref.sha !== "") {
    return refuse(mark, "the image is pinned to a digest");
  }
  if (!isOnOneLine || rest !== "") {
    return refuse(
      mark,
      rest.startsWith("#") ? "the line has another comment" : "the image isn't at the end of its line",
    );
  }
  return mark;
}

function refuse(mark: Mark, reason: string): Mark {
  return { ...mark, outcome: "refused", reason };
}

function isSameContent(before: string, after: string): boolean {
  const [a, b] = [before, after].map((text) =>
    parseAllDocuments(text).map(
      (document): JsonValue => (document.errors.length > 0 ? null : (document.toJS() as JsonValue)),
    ),
  );
  return a !== undefined && b !== undefined && equalJson(a, b);
}
