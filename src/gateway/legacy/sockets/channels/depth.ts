import type { Market } from "../../../../engine/listing/market.ts";
import type { DepthView } from "../../../../feeds/depth.ts";
import { DepthChannel } from "../../../ws/channels/depth.ts";
import { besideDepth } from "../../records/depth.ts";

/** The book: `[full, depth, market]`. */
export class LegacyDepthChannel extends DepthChannel {
  protected override beside({ id }: Market): string {
    return besideDepth(this.context.backend, this.context.printers.of(id));
  }

  protected override print({ name }: Market, isFull: boolean, members: string, view: DepthView): string {
    return `${isFull},{${members},"time":${view.updatedAt},"checksum":${view.checksum}},"${name}"`;
  }
}
