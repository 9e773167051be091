/**
 * The port of a listener while the venue behind it is not ready: taken before anything else is done, so that a start
 * which cannot listen leaves nothing behind, and so that anyone who asks hears that the venue is starting.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { EnvelopeRenderer } from "../gateway/envelope/renderer.ts";
import { REASON_HEADER, reasonText } from "../gateway/explain/reason.ts";
import { healthAt } from "../gateway/http/health.ts";
import { readFirst } from "../gateway/http/read-first.ts";
import { REQUEST_ID, RequestNames } from "../gateway/http/request-observer.ts";
import { REFUSAL_ROWS } from "../gateway/parts.ts";
import { Refused } from "../gateway/refused.ts";
import { ownErrors } from "../net/socket-errors.ts";

/** Who asks before the venue serves has little to say, and this long to say it. */
const CONVERSATION_MS = 5_000;
const CONNECTIONS_MAX = 256;
/** Connections that wait to be taken; beyond it a storm of them costs honest clients a second for a new one. */
const BACKLOG = 4_096;
const HEAD_BYTES_MAX = 16_384;
const STARTING = new Refused("starting");
const STARTING_TEXT = new EnvelopeRenderer(REFUSAL_ROWS).render(STARTING).body;
const names = new RequestNames();

export class PortReservation {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;
  #handedOver = false;

  private constructor(server: Server) {
    const { address, port } = server.address() as AddressInfo;
    this.#server = server;
    this.host = address;
    this.port = port;
  }

  /** Listens; port 0 takes a free one. Rejects as Node does, with the `setting` that would help beside the error.
   * `tellsReasons`: refusals carry their reason, as those of the listener will. */
  static async open(host: string, port: number, setting: string, tellsReasons = false): Promise<PortReservation> {
    // Not listening itself: it only speaks on the connections that it is given.
    const speaker = createHttpServer({ maxHeaderSize: HEAD_BYTES_MAX }, (request, response) =>
      answer(request, response, tellsReasons),
    );
    const server = createServer((socket) => meet(speaker, socket));
    server.maxConnections = CONNECTIONS_MAX;
    await new Promise<void>((resolve, reject) => {
      const blame = (error: Error) => reject(Object.assign(error, { setting }));
      server.once("error", blame);
      server.listen({ host, port, backlog: BACKLOG }, () => {
        server.off("error", blame);
        resolve();
      });
    });
    return new PortReservation(server);
  }

  /** For the listener that takes over: it keeps the port, and closes it. */
  handOver(): Server {
    this.#handedOver = true;
    return this.#server;
  }

  /** For a start that fails before anybody took over. */
  close(): void {
    if (!this.#handedOver) this.#server.close();
  }
}

function meet(speaker: ReturnType<typeof createHttpServer>, socket: Socket): void {
  ownErrors(socket);
  const late = setTimeout(() => readFirst(() => socket.destroy()), CONVERSATION_MS);
  late.unref();
  socket.once("close", () => clearTimeout(late));
  speaker.emit("connection", socket);
}

function answer(request: IncomingMessage, response: ServerResponse, tellsReasons: boolean): void {
  const [path = ""] = (request.url ?? "").split("?", 1);
  const health = request.method === "GET" ? healthAt(path, "starting") : undefined;
  response.writeHead(health?.status ?? 503, {
    "Content-Type": "application/json; charset=utf-8",
    Connection: "close",
    "X-Content-Type-Options": "nosniff",
    [REQUEST_ID]: names.next(),
    ...(tellsReasons && health === undefined ? { [REASON_HEADER]: reasonText(REFUSAL_ROWS, STARTING) } : {}),
  });
  response.end(health?.text ?? STARTING_TEXT);
}
