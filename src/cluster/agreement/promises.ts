import type { AgreementPorts, Standing } from "./ports.ts";

/** What this node has promised to the others, and which generation its log belongs to: on the disk before anything is done by it. */
export class Promises {
  readonly #ports: Pick<AgreementPorts, "promise">;
  #standing: Standing;

  constructor(standing: Standing, ports: Pick<AgreementPorts, "promise">) {
    this.#ports = ports;
    this.#standing = standing;
  }

  get promised(): number {
    return this.#standing.promised;
  }

  get adopted(): number {
    return this.#standing.adopted;
  }

  /** Nothing of an older generation is stored from now on. */
  promise(generation: number): void {
    this.#standing = { ...this.#standing, promised: generation };
    this.#ports.promise(this.#standing);
  }

  /** The log ends as the generation begins, and goes on with it. */
  adopt(generation: number): void {
    this.#standing = { ...this.#standing, adopted: generation };
    this.#ports.promise(this.#standing);
  }
}
