/**
 * The landing page of the documents at `/docs`: what runs here, how it moves, how to sign a request, where to read on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { framed } from "../docs/frame.ts";
import type { SampleAccount } from "../documents.ts";
import { contentMethods, STRICT_PAGE_HEADERS } from "../http/content.ts";
import type { Routes } from "../http/router.ts";

export interface LandingOptions {
  readonly version: string;
  readonly profile: string;
  /** The SVC of the header names that the page shows. */
  readonly service?: string | undefined;
  /** Accounts whose keys everybody knows. */
  readonly sampleAccounts?: readonly SampleAccount[];
  /** Where operators have their console. */
  readonly consoleUrl?: string;
}

const FOLDER = new URL("landing/", import.meta.url);

export function landingPage(options: LandingOptions): Routes {
  const { version, profile, service = "SVC", sampleAccounts = [], consoleUrl = "" } = options;
  const page = () =>
    filled(framed(file("page.html"), "/docs").replace("<!-- sample accounts -->", sandboxSection(sampleAccounts)), {
      ...{ version, profile, service, consoleUrl },
      ...Object.fromEntries(
        sampleAccounts.flatMap(({ name, access_id, secret_key }, at) => [
          [`name${at}`, name],
          [`key${at}`, access_id],
          [`secret${at}`, secret_key],
        ]),
      ),
    });
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
  return new Map([
    ["/docs", contentMethods(() => ({ type: "text/html; charset=utf-8", body: page(), headers: STRICT_PAGE_HEADERS }))],
    ["/docs/landing.css", contentMethods(() => ({ type: "text/css; charset=utf-8", body: file("page.css") }))],
    ...scripts.map(
      (name) =>
        [
          `/docs/landing/${name}`,
          contentMethods(() => ({ type: "text/javascript; charset=utf-8", body: file(name) })),
        ] as const,
    ),
  ]);
}

function file(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}

/**
 * Accounts to sign in to with a click, with their keys to copy, test money and the clock: on a venue of one's own
 * machine alone.
 */
function sandboxSection(accounts: readonly SampleAccount[]): string {
  if (accounts.length === 0) return "";
  const rows = accounts.map((_, at) => {
    const copied = (value: "key" | "secret", what: string) =>
      `<td><code id="${value}-${at}">{{${value}${at}}}</code> <button type="button" data-copy="${value}-${at}" ` +
      `aria-label="Copy the ${what} of {{name${at}}}">Copy</button></td>`;
    const signIn =
      `<td><button type="button" class="action" data-account="{{name${at}}}">Sign in<span class="unseen"> as ` +
      `{{name${at}}}</span></button></td>`;
    return (
      "<tr><th " +
      `scope="row">{{name${at}}}</th>${signIn}${copied("key", "access id")}${copied("secret", "secret key")}</tr>`
    );
  });
  return file("sandbox.html").replace("<!-- rows -->", rows.join(""));
}

/** Puts the values in place of `{{name}}`. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The landing page names ${name}, which nobody gives.`);
    return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  });
}
