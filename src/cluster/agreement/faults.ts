/** Why a node has to end: what it found cannot be mended while it serves. */

/** The end of this log is not the others' log; at the next start it is taken away. */
export class TailStrayed extends Error {
  constructor(seq: number) {
    super(
      `The log of this node up to seq ${seq} has commands at its end that no quorum of nodes holds, and the others went on without them. ` +
        "Nobody was told of them; a start takes them out.",
    );
    this.name = "TailStrayed";
  }
}

/** Nobody here knows which of the proposals that are under way were taken. */
export class FateUnknown extends Error {
  constructor() {
    super(
      "This node was away for so long that what became of its commands under way cannot be told; a start begins anew.",
    );
    this.name = "FateUnknown";
  }
}

/** Two nodes hold other groups at the same seq of one generation: neither may go on by itself. */
export class LogsDiffer extends Error {
  constructor(seq: number, node: string) {
    super(`At seq ${seq} the log of node ${node} is not the one of this node, although both read one stream.`);
    this.name = "LogsDiffer";
  }
}

/** Each node would wait for a quorum of its own, and there could be two of them. */
export class NodesDiffer extends Error {
  constructor(node: string, theirs: unknown, own: readonly string[]) {
    super(
      `Node ${node} was started with the nodes ${String(theirs)}, this one with ${own.join()}: all nodes of a venue need the same list, in the same order.`,
    );
    this.name = "NodesDiffer";
  }
}

/** Logs of two venues cannot be one. `found`: who has which. */
export class VenuesDiffer extends Error {
  constructor(found: string) {
    super(`${found}: they are not one venue.`);
    this.name = "VenuesDiffer";
  }
}
