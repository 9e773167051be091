/** Requests as bytes: sound ones, spoilt ones, and as the shell text that sends them again. */
import type { Chance } from "./chance.ts";

export interface Request {
  method: string;
  target: string;
  headers: (readonly [name: string, value: string])[];
  body: Buffer;
}

export function bytesOf({ method, target, headers, body }: Request, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body.length > 0 || method === "POST")
    lines.push("Content-Type: application/json", `Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** The data of an envelope; undefined when there is none. */
export function dataOf(body: string | undefined): unknown {
  try {
    return (JSON.parse(body ?? "") as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}

export function curlOf({ method, target, headers, body }: Request, origin: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const given = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const command = ["curl -s --path-as-is -X", method, ...given, quoted(origin + target)].join(" ");
  return body.length === 0
    ? command
    : `${printfOf(body)} | ${command} -H 'Content-Type: application/json' --data-binary @-`;
}

/** Prints the bytes as they are, in any shell. */
export function printfOf(bytes: Buffer): string {
  const escaped = [...bytes].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && !"'\\%".includes(String.fromCharCode(byte));
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `printf '${escaped.join("")}'`;
}

/** The same bytes with one to four places changed. */
export function mangled(chance: Chance, sound: Buffer): Buffer {
  let bytes = sound;
  for (let times = 1 + chance.below(4); times > 0; times--) {
    const at = chance.below(bytes.length);
    const until = Math.min(bytes.length, at + 1 + chance.below(20));
    const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, until), bytes.subarray(until)];
    const one = Buffer.from([chance.below(256)]);
    const words = ["\r\n", "\n", "\r\n\r\n", "\0", " ", ":", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"];
    const word = Buffer.from(chance.pick(words));
    const ways = [
      [head, one, tail],
      [head, one, middle, tail],
      [head, tail],
      [head, middle, middle, tail],
      [head],
      [head, word, middle, tail],
    ];
    bytes = Buffer.concat(chance.pick(ways));
    if (bytes.length === 0) return bytes;
  }
  return bytes;
}
