/**
 * Frames of WebSockets as a load generator writes and reads them: made beforehand, and looked at no more than needed.
 */
import { randomBytes } from "node:crypto";
import type { AnswerReader } from "./http-load.ts";

const SUCCESS = Buffer.from('"code":0');
const LENGTH_16 = 126;

/** A text as a client sends it: masked with zeros, which leaves it as it is. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length >= 65_536) throw new RangeError("A request of a bench is shorter.");
  const head = length < LENGTH_16 ? [0x81, 0x80 | length] : [0x81, 0x80 | LENGTH_16, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

export function requestFrame(method: string, params: object): Buffer {
  return textFrame(JSON.stringify({ id: 1, method, params }));
}

export function handshake(path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
  );
}

/** One frame of the venue. Short ones hold their text as it is, in one stored block. */
export const frameAnswer: AnswerReader = (bytes) => {
  if (bytes.length < 4) return undefined;
  const short = (bytes[1] as number) & 127;
  const length = short < LENGTH_16 ? 2 + short : 4 + bytes.readUInt16BE(2);
  if (bytes.length < length) return undefined;
  return { length, isSuccess: bytes.subarray(0, length).includes(SUCCESS) };
};
