/** The request and the answer of Node's own HTTP, as a request uses them. */
import { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, type RequestContext, type RequestHead, type ResponseEnd, UNCHANGED } from "./request-context.ts";

/**
 * Node's request, whose body goes straight to its context. Node pushes what it has parsed into a stream; the stream
 * would hand it on in a later turn, with a dozen calls in between, and nobody here wants it as a stream: so it stays
 * empty.
 */
export class NodeRequest extends IncomingMessage implements RequestHead {
  /** Set while its body is awaited. Without one, what comes is thrown away. */
  context: RequestContext | undefined = undefined;

  header(name: string): string | undefined {
    return this.headers[name] as string | undefined;
  }

  /** Called by Node with each piece of the body, and with null behind the last byte of the request. */
  override push(piece: Buffer | null): boolean {
    const { context } = this;
    if (piece === null) context?.connection.take(context);
    else context?.take(piece);
    return true;
  }

  /** Node does either to throw away what was not read. */
  override read(): null {
    return null;
  }

  override resume(): this {
    return this;
  }
}

// Node asks this before it lets go of the request. It is an accessor there as well, but not in the types.
Object.defineProperty(NodeRequest.prototype, "readableEnded", {
  get(this: NodeRequest): boolean {
    return this.complete;
  },
});

const FIRST_LINE = "HTTP/1.1 200 OK\r\n";

/**
 * Node's response, which can take headers as text. Node looks at every name and value that it is given, which for the
 * headers of rate limits, on nearly every answer, costs more than working them out.
 */
export class NodeResponse extends ServerResponse<NodeRequest> implements ResponseEnd {
  #lines = "";
  /** Node's: the client waits to be told to go on. */
  declare _expect_continue: boolean;
  /** Node's, which it takes from its own setting. */
  declare _keepAliveTimeout: number;

  /**
   * The answer says how long the connection is kept when nothing comes; Node is not told, which would keep the time of
   * each one.
   */
  promiseToStay(keepAliveMs: number): void {
    this._keepAliveTimeout = keepAliveMs;
  }

  give({ status, lines, list, content, length, closes }: Answer): void {
    this.#lines = lines;
    const headers = list === undefined ? [] : [...list];
    if (closes) headers.push("Connection", "close");
    if (status !== UNCHANGED) headers.push("Content-Length", `${length}`);
    // Node's `writeHead` first looks at each name and value.
    if (status === 200 && list === undefined && !this._expect_continue) this._storeHeader(FIRST_LINE, headers);
    else this.writeHead(status, headers);
    // Without a character beyond ASCII the bytes are the characters, which Node copies faster than it encodes.
    if (length === content.length) this.end(content, "latin1");
    else this.end(content);
  }

  /** Called by Node to make the head of its first line and the headers; it begins with that line as it is. */
  _storeHeader(firstLine: string, headers: unknown): void {
    storeHeader.call(this, firstLine + this.#lines, headers);
  }
}

type StoreHeader = (this: ServerResponse, firstLine: string, headers: unknown) => void;
const storeHeader = (ServerResponse.prototype as unknown as { _storeHeader: StoreHeader })._storeHeader;
