// @ts-nocheck This runs in the browser; the types of the project are Node's.
/*
 * Shows the API description and signs the calls made from it. The dialog behind "Authorize" asks for the access id and
 * the secret; the secret stays in the page, only the signature made with it is sent.
 */
import { examplesOf, legacyExamplesOf } from "./examples.js";

await start();

async function start() {
  const description = await (await fetch(document.getElementById("page").dataset.description)).json();
  const { signature, timestamp } = description.components.securitySchemes;
  // The older generation signs by MD5, which browsers have not got: its page shows, and the current one tries.
  if (timestamp === undefined) {
    addExamples(description, legacyExamplesOf);
    show(description, { supportedSubmitMethods: [], plugins: [mended, filterOfCalls, unsigned] });
    return;
  }
  signature.description = "Enter the secret key here. The page signs each call with it and never sends it.";
  const { key } = description.components.securitySchemes;
  const headers = { key: key.name, signature: signature.name, timestamp: timestamp.name };
  const [{ url: base }] = description.servers;
  addExamples(description, (call) => examplesOf({ ...call, base, headers }));
  // The page takes the time itself, so there is nothing to enter for it.
  delete description.components.securitySchemes.timestamp;
  for (const operations of Object.values(description.paths)) {
    for (const operation of Object.values(operations)) {
      if (operation.security.length > 0) operation.security = [{ key: [], signature: [] }];
    }
  }
  const page = show(description, {
    displayRequestDuration: true,
    tryItOutEnabled: true,
    requestInterceptor: (request) => signed(request, signature.name, timestamp.name),
  });
  await offerAccounts(page);
}

/** Below the description of each call, the same call as a program in three languages, by `programsOf`. */
function addExamples(description, programsOf) {
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const programs = programsOf({ origin: location.origin, path, method, operation });
      const shown = Object.entries(programs).map(
        ([language, code]) => `<details><summary>${language}</summary>\n\n\`\`\`\n${code}\n\`\`\`\n\n</details>`,
      );
      operation.description = [operation.description, ...shown].filter(Boolean).join("\n\n");
    }
  }
}

/** Calls whose path, name or group has all words of the filter; that of Swagger UI looks at the groups alone. */
function filterOfCalls() {
  const opsFilter = (groups, phrase) => {
    const words = phrase.toLowerCase().split(/\s+/);
    return groups
      .map((group, name) =>
        group.update("operations", (calls) =>
          calls.filter((call) => {
            const text = `${name} ${call.get("method")} ${call.get("path")} ${call.getIn(["operation", "summary"])}`;
            return words.every((word) => text.toLowerCase().includes(word));
          }),
        ),
      )
      .filter((group) => group.get("operations").size > 0);
  };
  return { fn: { opsFilter } };
}

/** Of a venue whose sample accounts have keys that everybody knows: one click signs in as one of them. */
async function offerAccounts(page) {
  const { accounts: path } = document.getElementById("page").dataset;
  if (path === "") return;
  for (const { name, access_id, secret_key } of await (await fetch(path)).json()) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Sign in as ${name}`;
    button.addEventListener("click", () => {
      page.preauthorizeApiKey("key", access_id);
      page.preauthorizeApiKey("signature", secret_key);
      document.getElementById("signed").textContent = `Calls are signed as ${name}.`;
    });
    document.getElementById("accounts").append(button, " ");
  }
}

/**
 * Mends parts of Swagger UI that a keyboard or a screen reader cannot use: links within buttons, and lists of one
 * server without a name.
 */
function mended(system) {
  const plain = ({ text }) => system.React.createElement("span", null, text);
  return { components: { DeepLink: plain, ServersContainer: () => null, OperationServers: () => null } };
}

/** The same of what comes with answers: buttons without a name, and texts that only a mouse can scroll. */
function mendAnswers(page) {
  const mend = () => {
    for (const button of page.querySelectorAll(".copy-to-clipboard > button:not([aria-label])"))
      button.ariaLabel = "Copy";
    const filter = page.querySelector(".operation-filter-input:not([aria-label])");
    if (filter !== null) {
      filter.ariaLabel = "Filter the calls";
      filter.placeholder = "Filter by path or name";
    }
    for (const choice of page.querySelectorAll("tr[data-param-name] select:not([aria-label])"))
      choice.ariaLabel = choice.closest("tr").dataset.paramName;
    for (const text of page.querySelectorAll(".microlight:not([tabindex])")) text.tabIndex = 0;
  };
  new MutationObserver(mend).observe(page, { childList: true, subtree: true });
}

/** Of a page that sends nothing: there is nobody to sign in as. */
function unsigned() {
  return { components: { AuthorizeBtnContainer: () => null } };
}

function show(description, options) {
  mendAnswers(document.getElementById("page"));
  return globalThis.SwaggerUIBundle({
    dom_id: "#page",
    spec: description,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    syntaxHighlight: { theme: "tomorrow-night" },
    plugins: [mended, filterOfCalls],
    filter: true,
    ...options,
  });
}

/** Replaces the secret in the place of the signature by the signature of this request. */
async function signed(request, signatureHeader, timestampHeader) {
  const secret = request.headers[signatureHeader];
  if (secret === undefined) return request;
  // Never let the secret leave, whatever happens below.
  delete request.headers[signatureHeader];
  if (globalThis.crypto.subtle === undefined) {
    throw new Error("This browser signs only on pages from localhost or over HTTPS.");
  }
  const url = new URL(request.url, location.href);
  const time = String(await venueTime());
  const text = request.method.toUpperCase() + url.pathname + url.search + (request.body ?? "") + time;
  request.headers[timestampHeader] = time;
  request.headers[signatureHeader] = await hmacHex(secret, text);
  return request;
}

/** The venue's clock, which may be a virtual one; this machine's where the venue does not tell. */
async function venueTime() {
  const answer = await fetch("/v2/time");
  return answer.ok ? (await answer.json()).data.timestamp : Date.now();
}

async function hmacHex(secret, text) {
  const { subtle } = globalThis.crypto;
  const bytes = new TextEncoder();
  const key = await subtle.importKey("raw", bytes.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", key, bytes.encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
