/**
 * The part of etcd's interface that the log needs, as data for the gRPC client: names, types and numbers of the fields.
 * Source: etcd 3.4, `etcdserver/etcdserverpb/rpc.proto` and `mvcc/mvccpb/kv.proto`.
 */
import { type GrpcObject, loadPackageDefinition, type ServiceClientConstructor } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";

type Fields = Readonly<Record<string, { readonly type: string; readonly id: number; readonly rule?: "repeated" }>>;

/** Fields as `name: "type number"`, `*` behind the type of a repeated one; `oneofs` names those of which one is set. */
function message(fields: Readonly<Record<string, string>>, oneofs: Readonly<Record<string, readonly string[]>> = {}) {
  const entries = Object.entries(fields).map(([name, text]) => {
    const [type = "", id = ""] = text.split(" ");
    const field = { type: type.replace("*", ""), id: Number(id) };
    return [name, type.endsWith("*") ? { ...field, rule: "repeated" as const } : field] as const;
  });
  const groups = Object.entries(oneofs).map(([name, oneof]) => [name, { oneof }] as const);
  return { fields: Object.fromEntries(entries) as Fields, oneofs: Object.fromEntries(groups) };
}

const call = (requestType: string, responseType: string) => ({ requestType, responseType });
const stream = (requestType: string, responseType: string) => ({
  ...call(requestType, responseType),
  requestStream: true,
  responseStream: true,
});

const MESSAGES = {
  ResponseHeader: message({
    cluster_id: "uint64 1",
    member_id: "uint64 2",
    revision: "int64 3",
    raft_term: "uint64 4",
  }),
  KeyValue: message({ key: "bytes 1", create_revision: "int64 2", mod_revision: "int64 3", value: "bytes 5" }),
  Event: message({ type: "int32 1", kv: "KeyValue 2" }),
  RangeRequest: message({
    ...{ key: "bytes 1", range_end: "bytes 2", limit: "int64 3", revision: "int64 4", serializable: "bool 7" },
    ...{ keys_only: "bool 8", count_only: "bool 9" },
  }),
  RangeResponse: message({ header: "ResponseHeader 1", kvs: "KeyValue* 2", more: "bool 3", count: "int64 4" }),
  PutRequest: message({ key: "bytes 1", value: "bytes 2", lease: "int64 3" }),
  PutResponse: message({ header: "ResponseHeader 1" }),
  DeleteRangeRequest: message({ key: "bytes 1", range_end: "bytes 2" }),
  DeleteRangeResponse: message({ header: "ResponseHeader 1", deleted: "int64 2" }),
  RequestOp: message(
    { request_range: "RangeRequest 1", request_put: "PutRequest 2", request_delete_range: "DeleteRangeRequest 3" },
    { request: ["request_range", "request_put", "request_delete_range"] },
  ),
  ResponseOp: message(
    {
      response_range: "RangeResponse 1",
      response_put: "PutResponse 2",
      response_delete_range: "DeleteRangeResponse 3",
    },
    { response: ["response_range", "response_put", "response_delete_range"] },
  ),
  /**
   * `result` 0: equal, 1: greater; `target` 1: revision of the creation, 2: of the last change, 0 of a key that is not
   * there; 3: value.
   */
  Compare: message(
    {
      ...{ result: "int32 1", target: "int32 2", key: "bytes 3" },
      ...{ create_revision: "int64 5", mod_revision: "int64 6", value: "bytes 7", range_end: "bytes 64" },
    },
    { target_union: ["create_revision", "mod_revision", "value"] },
  ),
  TxnRequest: message({ compare: "Compare* 1", success: "RequestOp* 2", failure: "RequestOp* 3" }),
  TxnResponse: message({ header: "ResponseHeader 1", succeeded: "bool 2", responses: "ResponseOp* 3" }),
  CompactionRequest: message({ revision: "int64 1", physical: "bool 2" }),
  CompactionResponse: message({ header: "ResponseHeader 1" }),
  WatchRequest: message({ create_request: "WatchCreateRequest 1" }, { request_union: ["create_request"] }),
  WatchCreateRequest: message({ key: "bytes 1", range_end: "bytes 2", start_revision: "int64 3" }),
  WatchResponse: message({
    ...{ header: "ResponseHeader 1", watch_id: "int64 2", created: "bool 3", canceled: "bool 4" },
    ...{ compact_revision: "int64 5", cancel_reason: "string 6", events: "Event* 11" },
  }),
  LeaseGrantRequest: message({ TTL: "int64 1", ID: "int64 2" }),
  LeaseGrantResponse: message({ header: "ResponseHeader 1", ID: "int64 2", TTL: "int64 3", error: "string 4" }),
  LeaseRevokeRequest: message({ ID: "int64 1" }),
  LeaseRevokeResponse: message({ header: "ResponseHeader 1" }),
  LeaseKeepAliveRequest: message({ ID: "int64 1" }),
  LeaseKeepAliveResponse: message({ header: "ResponseHeader 1", ID: "int64 2", TTL: "int64 3" }),
  /**
   * etcd knows no `padding`, and passes over it: a request that is larger than a server takes is refused before it is
   * read.
   */
  StatusRequest: message({ padding: "bytes 100" }),
  StatusResponse: message({
    ...{ header: "ResponseHeader 1", version: "string 2", dbSize: "int64 3", leader: "uint64 4" },
    ...{ errors: "string* 8", dbSizeInUse: "int64 9" },
  }),
  AlarmRequest: message({ action: "int32 1", memberID: "uint64 2", alarm: "int32 3" }),
  AlarmMember: message({ memberID: "uint64 1", alarm: "int32 2" }),
  AlarmResponse: message({ header: "ResponseHeader 1", alarms: "AlarmMember* 2" }),
  AuthenticateRequest: message({ name: "string 1", password: "string 2" }),
  AuthenticateResponse: message({ header: "ResponseHeader 1", token: "string 2" }),
};

const SERVICES = {
  KV: {
    methods: {
      Range: call("RangeRequest", "RangeResponse"),
      Txn: call("TxnRequest", "TxnResponse"),
      Compact: call("CompactionRequest", "CompactionResponse"),
    },
  },
  Watch: { methods: { Watch: stream("WatchRequest", "WatchResponse") } },
  Lease: {
    methods: {
      LeaseGrant: call("LeaseGrantRequest", "LeaseGrantResponse"),
      LeaseRevoke: call("LeaseRevokeRequest", "LeaseRevokeResponse"),
      LeaseKeepAlive: stream("LeaseKeepAliveRequest", "LeaseKeepAliveResponse"),
    },
  },
  Maintenance: {
    methods: { Status: call("StatusRequest", "StatusResponse"), Alarm: call("AlarmRequest", "AlarmResponse") },
  },
  Auth: { methods: { Authenticate: call("AuthenticateRequest", "AuthenticateResponse") } },
};

export type ServiceName = keyof typeof SERVICES;

const PACKAGE = loadPackageDefinition(
  // Numbers of 64 bits come as texts: those of leases and members are larger than a number holds.
  fromJSON({ nested: { etcdserverpb: { nested: { ...MESSAGES, ...SERVICES } } } } as never, {
    ...{ keepCase: true, longs: String, defaults: true, oneofs: true },
  }),
)["etcdserverpb"] as GrpcObject;

/** Returns the constructor of clients for one of etcd's services. */
export function serviceOf(name: ServiceName): ServiceClientConstructor {
  return PACKAGE[name] as ServiceClientConstructor;
}
