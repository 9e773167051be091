/** How an etcd server is started for a venue: as deploy/etcd/etcd.conf.yml has it for real machines. */

export interface EtcdMember {
  readonly name: string;
  readonly host: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

/** Arguments of one of the servers of a cluster. One that has lost its data joins the others anew (`existing`). */
export function etcdArguments(
  members: readonly EtcdMember[],
  index: number,
  folder: string,
  state: "new" | "existing" = "new",
): string[] {
  const { name, host, clientPort } = members[index] as EtcdMember;
  const peer = (member: EtcdMember) => `http://${member.host}:${member.peerPort}`;
  const client = `http://${host}:${clientPort}`;
  return [
    ...["--name", name, "--data-dir", folder, "--log-level", "warn"],
    ...["--listen-client-urls", client, "--advertise-client-urls", client],
    ...["--listen-peer-urls", peer(members[index] as EtcdMember)],
    ...["--initial-advertise-peer-urls", peer(members[index] as EtcdMember)],
    ...["--initial-cluster", members.map((member) => `${member.name}=${peer(member)}`).join(",")],
    ...["--initial-cluster-token", "bourse", "--initial-cluster-state", state],
    // A leader that is lost is followed within a second; a group of commands fits in; what is taken out leaves room.
    ...["--heartbeat-interval", "50", "--election-timeout", "500"],
    ...["--max-request-bytes", "8388608", "--quota-backend-bytes", "4294967296"],
    // What was put stays in memory and in the log ahead of the database until so many more came: 100,000 unless set,
    // which may be gigabytes.
    ...["--snapshot-count", "5000"],
  ];
}
