// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* A call of the API as a program in three languages, made from its entry in the OpenAPI description. None needs a package. */

/** Programs by language. `headers` names those of the key, the signature and the time; calls that nobody signs have none. */
export function examplesOf({ origin, base, path, method, operation, headers }) {
  const verb = method.toUpperCase();
  const body = operation.requestBody?.content["application/json"].example;
  const target = base + path + queryOf(operation.parameters ?? []);
  const text = body === undefined ? "" : JSON.stringify(body);
  const call = { origin, verb, target, text, headers: operation.security.length > 0 ? headers : undefined };
  return { curl: curl(call), JavaScript: javaScript(call), Python: python(call) };
}

/** Values that a call needs, in the query. */
function queryOf(parameters) {
  const needed = parameters.filter(({ required }) => required);
  const pairs = needed.map(({ name, example, schema }) => [name, example ?? schema.default ?? schema.enum?.[0] ?? 1]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function curl({ origin, verb, target, text, headers }) {
  const data = text === "" ? "" : ` \\\n  -H "Content-Type: application/json" -d '${text}'`;
  if (headers === undefined) return `curl -s "${origin}${target}"${data}`;
  return `KEY=ACCESS_ID SECRET=SECRET_KEY
TIME=$(date +%s%3N)
SIGN=$(printf %s '${verb}${target}${text}'$TIME | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl -s -X ${verb} "${origin}${target}"${data} \\
  -H "${headers.key}: $KEY" -H "${headers.signature}: $SIGN" -H "${headers.timestamp}: $TIME"`;
}

function javaScript({ origin, verb, target, text, headers }) {
  const body = text === "" ? "" : `const body = JSON.stringify(${text});\n`;
  const options = [`method: "${verb}"`, "headers", ...(text === "" ? [] : ["body"])].join(", ");
  const content = `const headers = { "Content-Type": "application/json" };\n`;
  const ask = `const answer = await fetch("${origin}${target}", { ${options} });\nconsole.log(await answer.json());`;
  if (headers === undefined) return `${body}${content}${ask}`;
  return `import { createHmac } from "node:crypto";

const [key, secret, time] = ["ACCESS_ID", "SECRET_KEY", String(Date.now())];
${body}const text = "${verb}${target}" + ${text === "" ? "" : "body + "}time;
${content}headers["${headers.key}"] = key;
headers["${headers.signature}"] = createHmac("sha256", secret).update(text).digest("hex");
headers["${headers.timestamp}"] = time;
${ask}`;
}

function python({ origin, verb, target, text, headers }) {
  const body = text === "" ? '""' : `'${text}'`;
  const ask = `request = urllib.request.Request("${origin}${target}", body.encode() or None, headers, method="${verb}")
print(urllib.request.urlopen(request).read().decode())`;
  const content = `body = ${body}\nheaders = {"Content-Type": "application/json"}\n`;
  if (headers === undefined) return `import urllib.request\n\n${content}${ask}`;
  return `import hashlib, hmac, time, urllib.request

key, secret, now = "ACCESS_ID", b"SECRET_KEY", str(int(time.time() * 1000))
${content}headers["${headers.key}"] = key
headers["${headers.signature}"] = hmac.new(secret, ("${verb}${target}" + body + now).encode(), hashlib.sha256).hexdigest()
headers["${headers.timestamp}"] = now
${ask}`;
}
