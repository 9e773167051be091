/** Calls of a running venue's admin interface. */
import { type Command, Option } from "commander";
import { readAdminAccess } from "../venue/operator-files.ts";
import { DATA_DEFAULT, defaultDataDir } from "../venue/settings.ts";
import { CliError } from "./exit.ts";

/** Where to find the venue, as the command line says it. */
export interface VenueOptions {
  readonly data?: string;
  readonly admin?: string;
  readonly token?: string;
  readonly json?: boolean;
}

interface Access {
  readonly url: string;
  readonly token: string;
}

/** Gives a verb the options that name the venue. */
export function withVenueOptions(command: Command): Command {
  return command
    .optionsGroup("Options:")
    .addOption(new Option("--data <DIR>", `the venue's data directory (${DATA_DEFAULT})`))
    .addOption(new Option("--admin <URL>", "its admin interface, instead of what the data directory says"))
    .addOption(
      new Option(
        "--token <TOKEN>",
        "an operator's token, instead of BOURSE_TOKEN in the environment and that of root in the data directory",
      ),
    )
    .addOption(new Option("--json", "print the answer as JSON"));
}

export class AdminClient {
  readonly #access: Access;

  private constructor(access: Access) {
    this.#access = access;
  }

  /** Throws CliError when no venue can be found. */
  static of(options: VenueOptions): AdminClient {
    const folder = options.data ?? defaultDataDir();
    const found = readAdminAccess(folder);
    const url = options.admin ?? found?.url;
    const token = options.token ?? process.env["BOURSE_TOKEN"] ?? found?.token;
    if (url === undefined) {
      throw new CliError(
        `No venue runs on ${folder}. Start one with bourse start, or name its admin interface with --admin.`,
      );
    }
    if (token === undefined) throw new CliError("The admin interface needs its token; give it with --token.");
    return new AdminClient({ url: url.replace(/\/+$/, ""), token });
  }

  /** The data of the answer. Throws CliError with the venue's own sentence when it refuses. */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const text = await this.text(method, path, body);
    let envelope: { code: number; message: string; data: Record<string, unknown> };
    try {
      envelope = JSON.parse(text);
    } catch (cause) {
      throw new CliError(`What listens at ${this.#access.url} is no admin interface of bourse.`, { cause });
    }
    const { code, message } = envelope;
    if (code === 0) return envelope.data;
    if (await this.#isApi()) {
      throw new CliError(
        `At ${this.#access.url} listens the API of a venue, which clients use, and not its admin interface. Its ` +
          "own address stands behind the word admin in the line with which the venue says that it is ready, and in " +
          "admin-url of its data directory.",
      );
    }
    throw new CliError(`Refused with code ${code}: ${message}`, { code });
  }

  /** Whether the public clock of the API is here: the admin interface has none. */
  async #isApi(): Promise<boolean> {
    try {
      const response = await fetch(`${this.#access.url}/v2/time`);
      return ((await response.json()) as { code: number }).code === 0;
    } catch {
      return false;
    }
  }

  async text(method: string, path: string, body?: object): Promise<string> {
    const { url, token } = this.#access;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return await response.text();
    } catch (cause) {
      throw new CliError(`The venue's admin interface at ${url} cannot be reached.`, { cause });
    }
  }
}
