import * as z from "zod";

/** The most rows that a page of a list has. */
export const mostRows = 200;

/** A time, as ISO 8601 in UTC. */
export const time = z.iso.datetime();

/** What the console gives to things that it creates. */
export const id = z.string().min(1).max(64);

/** The name of an instance or another thing that people name. */
export const shortName = z.string().trim().min(1).max(100);

/** Which page of a list to send. */
export const paging = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostRows)
    .default(50)
    .meta({ description: "How many rows to send at most." }),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "Where the page begins: `next` of the page before; the first page without it." }),
};

/** A value or several of them, as a query parameter that can be repeated. */
export function several<T extends z.ZodType<string, string>>(
  item: T,
): z.ZodOptional<z.ZodType<z.output<T>[], string | readonly string[]>> {
  const one = item.transform((value) => [value]);
  return z.union([z.array(item).max(100), one]).optional();
}

/** A page of a list. */
export function page<T extends z.ZodType>(
  row: T,
): z.ZodObject<{ rows: z.ZodArray<T>; next: z.ZodNullable<z.ZodString> }> {
  return z.object({
    rows: z.array(row),
    next: z
      .string()
      .nullable()
      .meta({ description: "The `cursor` of the next page; null if this is the last one." }),
  });
}

/** Any JSON, as in `@weir/base`, which browsers can't load. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Any JSON. */
export const anyJson: z.ZodType<Json> = z.json().register(z.globalRegistry, { id: "Json" });
