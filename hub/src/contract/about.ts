import * as z from "zod";

export const about = z.object({
  version: z.string(),
  flux: z.string().meta({ description: "The address for --connect." }),
});
