/**
 * Requests as no honest client sends them: what could make this server and another in front of it disagree about where
 * a request ends, to whom it goes or what it asks (RFC 9112, 11.2), and what is no HTTP at all.
 */

/** What a row says, the bytes (one character each), and the status of the one answer it gets before the close. */
export type RefusedShape = readonly [what: string, sent: string, status: number];

/** What a row says, the bytes, and how many requests are served of those that stand in front of the smuggled one. */
export type ServedShape = readonly [what: string, sent: string];

/** Head lines as written, parted by line feeds, sent with the line ends of HTTP. */
export const request = (head: string, body = "") => `${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`;

const HOST = "Host: venue";
const get = (head: string, target = "/a") => request(`GET ${target} HTTP/1.1\n${head}`);
const post = (head: string, body: string) => request(`POST /a HTTP/1.1\n${HOST}\n${head}`, body);
const chunked = (body: string) => post("Transfer-Encoding: chunked", body);
const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`).join("\n");
const LAST_CHUNK = "0\r\n\r\n";

export const REFUSED: readonly RefusedShape[] = [
  // What is no request at all.
  ["no HTTP at all", "hello venue\r\n\r\n", 400],
  ["TLS spoken to a plain port", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
  ["zero bytes", "\0".repeat(64), 400],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["an unknown version", request(`GET /a HTTP/9.9\n${HOST}`), 400],
  ["HTTP/2.0 in the words of 1.1", request(`GET /a HTTP/2.0\n${HOST}`), 400],
  ["HTTP/1.2", request(`GET /a HTTP/1.2\n${HOST}`), 400],
  ["HTTP/0.9", "GET /a\r\n\r\n", 400],
  ["a version in small letters", request(`GET /a http/1.1\n${HOST}`), 400],
  ["an unknown method", request(`FETCH /a HTTP/1.1\n${HOST}`), 400],
  ["a method in small letters", request(`get /a HTTP/1.1\n${HOST}`), 400],
  ["a space in front of the method", ` ${get(HOST)}`, 400],
  ["tabs between the words of the first line", `GET\t/a\tHTTP/1.1\r\n${HOST}\r\n\r\n`, 400],

  // Host: exactly one, and a host.
  ["no Host header", get("Accept: */*"), 400],
  ["two Host headers", get(`${HOST}\nhOST: other`), 400],
  ["two Host headers that agree", get(`${HOST}\n${HOST}`), 400],
  ["two Host headers in HTTP/1.0", request(`GET /a HTTP/1.0\n${HOST}\n${HOST}`), 400],
  ["an empty Host header", get("Host:"), 400],
  ["a list of hosts", get("Host: venue, other"), 400],
  ["a host with a space", get("Host: venue other"), 400],
  ["a host with a user", get("Host: user@venue"), 400],
  ["a host with a path", get("Host: venue/a"), 400],
  ["a host with half an IPv6 address", get("Host: [::1"), 400],
  ["a host with a port that is none", get("Host: venue:http"), 400],

  // The target: a path, and nothing that is not printed.
  ["a whole address as target", get(HOST, "http://venue/a"), 400],
  ["a whole secure address as target", get(HOST, "https://venue/a"), 400],
  ["an authority as target", get(HOST, "venue:80"), 400],
  ["an asterisk as target", request(`OPTIONS * HTTP/1.1\n${HOST}`), 400],
  ["a path without its slash", get(HOST, "a"), 400],
  ["a query without a path", get(HOST, "?a=b"), 400],
  ["no target", request(`GET HTTP/1.1\n${HOST}`), 400],
  ["a fragment in the target", get(HOST, "/a#b"), 400],
  ["a fragment in the query", get(HOST, "/a?b=c#d"), 400],
  ["a space in the target", get(HOST, "/a b"), 400],
  ["a zero byte in the target", get(HOST, "/a\0b"), 400],
  ["a control byte in the target", get(HOST, "/a\x01b"), 400],
  ["a tab in the target", get(HOST, "/a\tb"), 400],
  ["a delete byte in the target", get(HOST, "/a\x7fb"), 400],
  ["a byte beyond ASCII in the target", get(HOST, "/a\xe9b"), 400],
  ["CONNECT", request(`CONNECT venue:443 HTTP/1.1\n${HOST}`), 400],

  // Header lines.
  ["a space before the colon", get("Host : venue"), 400],
  ["a folded header", get(`${HOST}\nX-Long: one\n two`), 400],
  ["a folded Host", get("Host:\n venue"), 400],
  ["a first header that is folded", get(` ${HOST}`), 400],
  ["a header without a colon", get(`${HOST}\nnothing`), 400],
  ["a header without a name", get(`${HOST}\n: value`), 400],
  ["a space in the name of a header", get(`${HOST}\nX Y: z`), 400],
  ["a zero byte in the name of a header", get(`${HOST}\nX\0Y: z`), 400],
  ["a zero byte in a header", get(`${HOST}\nX-Odd: a\0b`), 400],
  ["a control byte in a header", get(`${HOST}\nX-Odd: a\x01b`), 400],
  ["a lone carriage return in a header", `GET /a HTTP/1.1\r\n${HOST}\rX-Odd: a\r\n\r\n`, 400],
  ["two carriage returns at the end of a line", `GET /a HTTP/1.1\r\n${HOST}\r\r\n\r\n`, 400],
  ["lines that end without carriage return", `GET /a HTTP/1.1\n${HOST}\n\n`, 400],
  ["a first line that ends without carriage return", `GET /a HTTP/1.1\n${HOST}\r\n\r\n`, 400],
  ["one header that ends without carriage return", `GET /a HTTP/1.1\r\n${HOST}\nX-Odd: a\r\n\r\n`, 400],
  ["headers beyond 16 KiB", get(`${HOST}\nX-Big: ${"a".repeat(20_000)}`), 431],
  ["a target beyond 16 KiB", get(HOST, `/a?${"a".repeat(20_000)}`), 431],
  ["a hundred and one headers", get(`${HOST}\n${headers(100)}`), 431],
  ["a Host header behind two thousand others", get(`${HOST}\n${"a:\n".repeat(2_000)}Host: other`), 431],
  ["a length behind two thousand headers", post(`${"a:\n".repeat(2_000)}Content-Length: 2`, "{}"), 431],

  // The length of a body.
  ["two lengths", post("Content-Length: 2\nContent-Length: 3", "{}"), 400],
  ["the same length twice", post("Content-Length: 2\nContent-Length: 2", "{}"), 400],
  ["a list as length", post("Content-Length: 2, 2", "{}"), 400],
  ["a negative length", post("Content-Length: -2", "{}"), 400],
  ["a signed length", post("Content-Length: +2", "{}"), 400],
  ["a hexadecimal length", post("Content-Length: 0x2", "{}"), 400],
  ["a length with a fraction", post("Content-Length: 2.0", "{}"), 400],
  ["a length in two words", post("Content-Length: 1 0", "{}"), 400],
  ["a length with a vertical tab", post("Content-Length: \x0b2", "{}"), 400],
  ["an empty length", post("Content-Length:", "{}"), 400],
  ["a length with leading zeros", post("Content-Length: 002", "{}"), 400],
  ["many zeros as length", post("Content-Length: 0000", ""), 400],
  ["a length beyond all bounds", post("Content-Length: 99999999999999999999", ""), 400],
  ["a length of 2^64 + 2", post("Content-Length: 18446744073709551618", "{}"), 400],
  ["a space before the colon of a length", post("Content-Length : 2", "{}"), 400],
  ["a length above 128 KiB", post("Content-Length: 131073", ""), 413],
  ["a body above 128 KiB that asks first", post("Expect: 100-continue\nContent-Length: 2000000", ""), 413],

  // Transfer codings.
  ["a length beside a chunked body", post("Content-Length: 4\nTransfer-Encoding: chunked", LAST_CHUNK), 400],
  ["a chunked body beside a length", post("Transfer-Encoding: chunked\nContent-Length: 4", LAST_CHUNK), 400],
  ["an unknown coding", post("Transfer-Encoding: gzip", "{}"), 400],
  ["a coding beneath the chunks", post("Transfer-Encoding: gzip, chunked", LAST_CHUNK), 400],
  ["a coding above the chunks", post("Transfer-Encoding: chunked, gzip", LAST_CHUNK), 400],
  ["chunks twice", post("Transfer-Encoding: chunked, chunked", LAST_CHUNK), 400],
  ["two headers with a coding", post("Transfer-Encoding: chunked\nTransfer-Encoding: chunked", LAST_CHUNK), 400],
  ["chunks, then identity", post("Transfer-Encoding: chunked\nTransfer-Encoding: identity", LAST_CHUNK), 400],
  ["identity, then chunks", post("Transfer-Encoding: identity\nTransfer-Encoding: chunked", LAST_CHUNK), 400],
  ["the coding identity", post("Transfer-Encoding: identity", LAST_CHUNK), 400],
  ["a misspelt coding", post("Transfer-Encoding: xchunked", LAST_CHUNK), 400],
  ["a quoted coding", post('Transfer-Encoding: "chunked"', LAST_CHUNK), 400],
  ["a coding with a parameter", post("Transfer-Encoding: chunked;q=1", LAST_CHUNK), 400],
  ["a coding with a comma behind it", post("Transfer-Encoding: chunked,", LAST_CHUNK), 400],
  ["a coding behind a vertical tab", post("Transfer-Encoding: \x0bchunked", LAST_CHUNK), 400],
  ["a space before the colon of a coding", post("Transfer-Encoding : chunked", LAST_CHUNK), 400],
  ["a folded coding", post("Transfer-Encoding:\n chunked", LAST_CHUNK), 400],
  ["an empty coding", post("Transfer-Encoding:", LAST_CHUNK), 400],
  ["chunks in HTTP/1.0", request(`POST /a HTTP/1.0\n${HOST}\nTransfer-Encoding: chunked`, LAST_CHUNK), 400],

  // Chunks.
  ["a chunk size that is none", chunked(`zz\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["no chunk size", chunked(`\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size with a prefix", chunked(`0x2\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size with a plus sign", chunked(`+2\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size with a minus sign", chunked(`-2\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size behind a space", chunked(` 2\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size before a space", chunked(`2 \r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size of 2^64 + 2", chunked(`10000000000000002\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk longer than its size", chunked(`2\r\n{}{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk shorter than its size", chunked(`3\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk size that ends without carriage return", chunked(`2\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk that ends without carriage return", chunked(`2\r\n{}\n${LAST_CHUNK}`), 400],
  ["a chunk size with two carriage returns", chunked(`2\r\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk extension that ends without carriage return", chunked(`2;a\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk extension with a carriage return", chunked(`2;a\rb\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a chunk extension with a line end in quotes", chunked(`2;a="b\r\nc"\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["chunk extensions beyond 16 KiB", chunked(`2;${"a".repeat(20_000)}\r\n{}\r\n${LAST_CHUNK}`), 400],
  ["a trailer with a length", chunked("0\r\nContent-Length: 5\r\n\r\n"), 400],
  ["a trailer with a coding", chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400],
  ["trailers beyond 16 KiB", chunked(`0\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`), 431],
  ["trailers that end without carriage return", chunked("0\r\n\n"), 400],
  ["a chunked body above 128 KiB", chunked(`20001\r\n${"a".repeat(0x20001)}\r\n${LAST_CHUNK}`), 413],
];

/** Odd, but sound: served once, and what stands behind is the next request. */
export const SERVED: readonly ServedShape[] = [
  ["a plain request", get(HOST)],
  ["a host with a port", get("Host: venue:7400")],
  ["a host that is an IPv6 address", get("Host: [::1]:7400")],
  ["a hundred headers", get(`${HOST}\n${headers(99)}`)],
  ["empty lines in front", `\r\n\r\n${get(HOST)}`],
  ["an unknown expectation", get(`${HOST}\nExpect: miracles`)],
  ["a byte beyond ASCII in a header", get(`${HOST}\nX-Odd: \xff`)],
  ["HTTP/1.0 that stays", request("GET /a HTTP/1.0\nConnection: keep-alive")],
  ["HEAD", request(`HEAD /a HTTP/1.1\n${HOST}`)],
  ["a length and its body", post("Content-Length: 2", "{}")],
  ["a GET with a body", request(`GET /a HTTP/1.1\n${HOST}\nContent-Length: 2`, "{}")],
  ["a length between tabs", post("Content-Length:\t2\t", "{}")],
  ["chunks", chunked(`2\r\n{}\r\n${LAST_CHUNK}`)],
  ["chunks in capital letters", post("Transfer-Encoding: CHUNKED", LAST_CHUNK)],
  ["a chunk with a short extension", chunked(`2;a=b\r\n{}\r\n${LAST_CHUNK}`)],
  ["a trailer", chunked("0\r\nX-Odd: 1\r\n\r\n")],
  ["a trailer with a host, which counts for nothing", chunked("0\r\nHost: other\r\n\r\n")],
];

/** Served, and then the connection ends: nothing behind them is a request. */
export const LAST: readonly ServedShape[] = [
  ["a request that says so", get(`${HOST}\nConnection: close`)],
  ["a plain HTTP/1.0 request", request(`GET /a HTTP/1.0\n${HOST}`)],
  ["HTTP/1.0 without a host", request("GET /a HTTP/1.0\nAccept: */*")],
  ["an offer of HTTP/2", get(`${HOST}\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAA`)],
  ["an offer of something else", get(`${HOST}\nConnection: Upgrade\nUpgrade: telnet`)],
  ["an offer with a body", post("Connection: Upgrade\nUpgrade: telnet\nContent-Length: 2", "{}")],
];
