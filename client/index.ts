/** The client of bourse: typed calls, sockets, local books and own state. docs/guides/client.md shows how. */
export { type Answer, CLIENT_CODES, type Done, type Failed } from "./answer.ts";
export { Book, type BookOptions } from "./book.ts";
export type { CallName, CallOptions, DataOf, GetPath, PostPath } from "./calls.ts";
export { Client, type ClientOptions } from "./client.ts";
export type {
  CancelOptions,
  ChannelOf,
  Following,
  FollowOptions,
  ItemOf,
  LineState,
  MethodOf,
  MethodParams,
  Product,
  PushOf,
} from "./following.ts";
export type * from "./http.generated.ts";
export { CODES } from "./http.generated.ts";
export { ProofUnsound, type VerifiedAmount, type VerifiedProof, verifyProof } from "./liability-proof.ts";
export {
  followOrders,
  followPositions,
  type OwnOrder,
  type OwnOrders,
  type OwnPosition,
  type OwnPositions,
} from "./own-state.ts";
export { freshClientId, type OrderPath, type PlaceOnceOptions, placeOnce } from "./place-once.ts";
export type { ApiKey } from "./signer.ts";
export type { VenueSocket } from "./socket.ts";
export type * as Pushes from "./sockets.generated.ts";
export type { Change, Tracker } from "./tracker.ts";
