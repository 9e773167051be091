import { hashOf, hisEnrolment, type Scene } from "./one-human.ts";

const HIS_CODE = hashOf("his first code");
const THEIR_CODES = [hashOf("a code of theirs"), hashOf("another code of theirs")];

const bounds = {
  kind: "set_four_eyes",
  actor: "venue",
  bounds: [{ ccy: "USDT", call: "10", recipient: "10", day: "20" }],
};
const make = (name: string, role: string, codeHash: string) => ({
  ...{ kind: "create_operator", actor: "root", name, role, codeHash },
});
const theirEnrolment = (name: string, codeHashes = THEIR_CODES) => ({
  ...{ kind: "enrol_operator", actor: name, name, codeHashes, tokenHash: hashOf(`their token of ${name}`) },
});
const consent = (approvalId: number, actor: string, codeHash: string | undefined) => ({
  ...{ kind: "decide", approvalId, approve: true, actor, codeHash },
});

/**
 * He is an administrator, and had root's token in the beginning: he let in somebody whom he plays, and kept a code that
 * nobody used.
 */
const TWO_ADMINS = [
  make("his", "admin", HIS_CODE),
  hisEnrolment("his"),
  make("his-friend", "treasurer", HIS_CODE),
  hisEnrolment("his-friend"),
  make("his-later", "admin", HIS_CODE),
  bounds,
  { ...make("ben", "admin", THEIR_CODES[0] as string), actor: "root" },
  consent(1, "his", THEIR_CODES[1]),
  theirEnrolment("ben"),
  "day",
] as const;

/** The same without anybody whom he plays. */
const PAIR = TWO_ADMINS.filter(
  (each) => typeof each !== "object" || !String("name" in each && each.name).startsWith("his-"),
);

export const SCENES = {
  dual: {
    name: "he is one of two administrators, and has root's token",
    depth: 8,
    rulesVersion: 5,
    before: TWO_ADMINS,
    hasRoot: true,
    names: ["new"],
  },
  money: {
    name: "he moves as much as he can without anybody's consent",
    depth: 8,
    rulesVersion: 5,
    before: PAIR,
    hasRoot: true,
    names: [],
    movesSmall: true,
  },
  obliged: {
    name: "he is one of two administrators, and the other consents to all that he asks about operators",
    depth: 8,
    rulesVersion: 5,
    before: PAIR,
    hasRoot: true,
    names: ["new"],
    obliging: "ben",
  },
  rootOnly: {
    name: "he has root's token, and somebody else is the only administrator",
    depth: 8,
    rulesVersion: 5,
    before: [
      make("his-friend", "treasurer", HIS_CODE),
      hisEnrolment("his-friend"),
      make("his-later", "treasurer", HIS_CODE),
      make("ann", "admin", THEIR_CODES[0] as string),
      theirEnrolment("ann", THEIR_CODES.slice(0, 1)),
      bounds,
      "day",
    ],
    hasRoot: true,
    names: ["new"],
  },
  adminOnly: {
    name: "he is the only administrator, and somebody else has root's token",
    depth: 8,
    rulesVersion: 5,
    before: [make("his", "admin", HIS_CODE), hisEnrolment("his"), bounds, "day"],
    hasRoot: false,
    names: ["new", "newer"],
  },
  yesterday: {
    name: "rules version 4",
    depth: 8,
    rulesVersion: 4,
    before: [
      { kind: "create_operator", actor: "root", name: "his", role: "admin", tokenHash: hashOf("his token of his") },
      { kind: "create_operator", actor: "root", name: "ben", role: "admin", tokenHash: hashOf("their token of ben") },
    ],
    hasRoot: false,
    names: ["new"],
  },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof SCENES;
