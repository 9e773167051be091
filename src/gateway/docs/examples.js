// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* A call of the API as a program in three languages, made from its entry in the OpenAPI description, without packages. */

/**
 * Programs by language. `headers` names those of the key, the signature and the time; calls that nobody signs have
 * none.
 */
export function examplesOf({ origin, base, path, method, operation, headers }) {
  const verb = method.toUpperCase();
  const body = operation.requestBody?.content["application/json"].example;
  const target = base + path + queryOf(operation.parameters ?? []);
  const text = body === undefined ? "" : JSON.stringify(body);
  const call = { origin, verb, target, text, headers: operation.security.length > 0 ? headers : undefined };
  return { curl: curl(call), JavaScript: javaScript(call), Python: python(call) };
}

/** The same of a call of the older generation: its parameters, the key and the time among them, are what is signed. */
export function legacyExamplesOf({ origin, path, method, operation }) {
  const verb = method.toUpperCase();
  const { example } = operation.requestBody?.content["application/json"] ?? {};
  const needed = operation.parameters.filter(({ required }) => required);
  const values = (place) =>
    Object.fromEntries(needed.filter((one) => one.in === place).map(({ name, example: value }) => [name, value]));
  const address =
    origin + Object.entries(values("path")).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  // Where both are taken, a form is the text that is signed.
  const isForm = operation.requestBody?.content["application/x-www-form-urlencoded"] !== undefined;
  const place = example === undefined ? "query" : isForm ? "form" : "JSON";
  const call = { verb, address, place, values: example ?? values("query"), isSigned: operation.security.length > 0 };
  return { curl: legacyCurl(call), JavaScript: legacyJavaScript(call), Python: legacyPython(call) };
}

const written = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

function legacyCurl({ verb, address, place, values, isSigned }) {
  const own = isSigned ? { access_id: "'$KEY'", tonce: "'$TIME'" } : {};
  const names = Object.keys({ ...values, ...own }).sort();
  const text = names.map((name) => `${name}=${own[name] ?? written(values[name])}`).join("&");
  const members = names.map(
    (name) => `"${name}": ${name === "access_id" ? `"${own[name]}"` : (own[name] ?? JSON.stringify(values[name]))}`,
  );
  const head = isSigned
    ? `KEY=ACCESS_ID SECRET=SECRET_KEY
TIME=$(date +%s%3N)
TEXT='${text}'
SIGN=$(printf %s "$TEXT&secret_key=$SECRET" | openssl dgst -md5 -r | cut -c1-32 | tr a-f A-F)
`
    : "";
  const signature = isSigned ? ` \\\n  -H "authorization: $SIGN"` : "";
  const signedText = isSigned ? '"$TEXT"' : `'${text}'`;
  const way = verb === "GET" ? "" : ` -X ${verb}`;
  if (place === "form") return `${head}curl -s${way} "${address}" -d ${signedText}${signature}`;
  if (place === "JSON")
    return (
      `${head}curl -s${way} "${address}" \\\n  -H "Content-Type: application/json" -d ` +
      `'{${members.join(", ")}}'${signature}`
    );
  const query = isSigned ? "?$TEXT" : text === "" ? "" : `?${text}`;
  return `${head}curl -s -g${way} "${address}${query}"${signature}`;
}

function legacyJavaScript({ verb, address, place, values, isSigned }) {
  const own = isSigned ? ", access_id: key, tonce: Date.now()" : "";
  const body = { query: "", form: ", body: text", JSON: ", body: JSON.stringify(values)" }[place];
  const type = {
    query: "",
    form: ` "Content-Type": "application/x-www-form-urlencoded" `,
    JSON: ` "Content-Type": "application/json" `,
  }[place];
  return `${isSigned ? `import { createHash } from "node:crypto";\n\nconst [key, secret] = ["ACCESS_ID", "SECRET_KEY"];\n` : ""}const values = { ...${JSON.stringify(values)}${own} };
const written = (value) => (typeof value === "object" ? JSON.stringify(value) : value);
const text = Object.keys(values).sort().map((name) => name + "=" + written(values[name])).join("&");
const headers = {${type}};
${isSigned ? `headers.authorization = createHash("md5").update(text + "&secret_key=" + secret).digest("hex").toUpperCase();\n` : ""}const answer = await fetch("${address}"${place === "query" ? ` + "?" + text` : ""}, { method: "${verb}", headers${body} });
console.log(await answer.json());`;
}

function legacyPython({ verb, address, place, values, isSigned }) {
  const own = isSigned ? `\nvalues.update(access_id="ACCESS_ID", tonce=int(time.time() * 1000))` : "";
  const body = { query: "None", form: "text.encode()", JSON: "json.dumps(values).encode()" }[place];
  const type = { query: "", form: "application/x-www-form-urlencoded", JSON: "application/json" }[place];
  const headers = type === "" ? "{}" : `{"Content-Type": "${type}"}`;
  return `import ${isSigned ? "hashlib, json, time" : "json"}, urllib.request

values = json.loads('${JSON.stringify(values)}')${own}
written = lambda value: value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
text = "&".join(name + "=" + written(values[name]) for name in sorted(values))
headers = ${headers}
${isSigned ? `headers["authorization"] = hashlib.md5((text + "&secret_key=SECRET_KEY").encode()).hexdigest().upper()\n` : ""}request = urllib.request.Request("${address}"${place === "query" ? ` + "?" + text` : ""}, ${body}, headers, method="${verb}")
print(urllib.request.urlopen(request).read().decode())`;
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
