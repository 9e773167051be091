/**
 * A venue in a container, for Testcontainers: the image for development of `scripts/build-image.ts`, loaded by `docker
 * load`.
 */
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

const PORT = 7400;
const DATA = "/data";
const START_MS = 120_000;

export interface Account {
  readonly userId: number;
  readonly accessId: string;
  readonly secretKey: string;
}

export class BourseContainer extends GenericContainer {
  #options: readonly string[] = ["--past", "0", "--limits", "off"];

  constructor(image: string) {
    super(image);
    this.withExposedPorts(PORT)
      .withWaitStrategy(Wait.forLogMessage(/^bourse ready /))
      .withStartupTimeout(START_MS);
  }

  /** Options of `bourse start` in the place of `--past 0 --limits off`, such as `--frozen`. */
  withOptions(...options: readonly string[]): this {
    this.#options = options;
    return this;
  }

  override async start(): Promise<StartedBourseContainer> {
    this.withCommand(["start", "--data", DATA, "--host", "0.0.0.0", ...this.#options]);
    return new StartedBourseContainer(await super.start());
  }
}

export class StartedBourseContainer extends AbstractStartedContainer {
  /** Where the API listens; calls stand below /v2. */
  readonly url: string;
  readonly wsUrl: string;

  constructor(started: StartedTestContainer) {
    super(started);
    const place = `${started.getHost()}:${started.getMappedPort(PORT)}`;
    this.url = `http://${place}`;
    this.wsUrl = `ws://${place}`;
  }

  /**
   * A verb of the command line, such as `operator("clock", "--advance-ms", "60000")`, whose JSON it gives. Only the
   * container itself reaches the operator.
   */
  async operator(...words: readonly string[]): Promise<unknown> {
    const command = ["/usr/bin/bourse", ...words, "--data", DATA, "--json"];
    const { exitCode, output, stdout } = await this.startedTestContainer.exec(command);
    if (exitCode !== 0) throw new Error(`bourse ${words.join(" ")} failed with ${exitCode}: ${output}`);
    return JSON.parse(stdout);
  }

  /** Makes somebody with these amounts by currency, and a key that reads and trades. */
  async createAccount(name: string, amounts: Readonly<Record<string, string>> = {}): Promise<Account> {
    const funds = Object.entries(amounts).flatMap(([ccy, amount]) => ["--fund", `${ccy}=${amount}`]);
    const made = await this.operator("account", "create", "--name", name, ...funds);
    const { user_id, access_id, secret_key } = made as { user_id: number; access_id: string; secret_key: string };
    return { userId: user_id, accessId: access_id, secretKey: secret_key };
  }
}
