import express, { type Express } from "express";

/** An application of Express that adds nothing to responses of its own, and takes paths for exactly what they are. */
export function plainApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.set("query parser", false);
  return app;
}
