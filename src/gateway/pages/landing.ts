/** The landing page of the documents at `/docs`: what runs here, how it moves, how to sign a request, where to read on. */
import { readFileSync } from "node:fs";
import { contentMethods, PAGE_HEADERS } from "../http/content.ts";
import type { Routes } from "../http/site.ts";

export interface LandingOptions {
  readonly version: string;
  readonly profile: string;
  /** The SVC of the header names that the page shows. */
  readonly service?: string;
}

export function landingPage({ version, profile, service = "SVC" }: LandingOptions): Routes {
  const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const page = () => filled(file("landing.html"), { version, profile, service });
  return new Map([
    ["/docs", contentMethods(() => ({ type: "text/html; charset=utf-8", body: page(), headers: PAGE_HEADERS }))],
    ["/docs/landing.css", contentMethods(() => ({ type: "text/css; charset=utf-8", body: file("landing.css") }))],
    [
      "/docs/landing.js",
      contentMethods(() => ({
        type: "text/javascript; charset=utf-8",
        body: file("landing.js"),
      })),
    ],
  ]);
}

/** Puts the values in place of `{{name}}`. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The landing page names ${name}, which nobody gives.`);
    return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  });
}
