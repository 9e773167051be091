import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What stands before several nodes: each connection goes to the next one that takes it, and ends with it. */
export class Balancer {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #open: Set<Socket>;

  private constructor(server: ReturnType<typeof createServer>, open: Set<Socket>) {
    this.#server = server;
    this.#open = open;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `urls` are asked for with each connection, for nodes that come back elsewhere. */
  static async start(urls: () => readonly string[]): Promise<Balancer> {
    const open = new Set<Socket>();
    let next = 0;
    const server = createServer({ pauseOnConnect: true }, (client) => {
      const left = [...urls()];
      const first = next++;
      open.add(client);
      client.on("close", () => open.delete(client)).on("error", () => {});
      const attempt = () => {
        const [url] = left.splice((first + left.length) % (left.length || 1), 1);
        if (url === undefined) return void client.destroy();
        const { hostname, port } = new URL(url);
        const node = connect(Number(port), hostname);
        node.once("error", attempt);
        node.once("connect", () => {
          node.off("error", attempt).on("error", () => client.destroy());
          node.on("close", () => client.destroy());
          client.on("close", () => node.destroy());
          client.pipe(node).pipe(client);
        });
      };
      attempt();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new Balancer(server, open);
  }

  /** Ends all connections; new ones go where it sends them then. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
