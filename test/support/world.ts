import { pino } from "pino";
import { startTime, type World } from "../../src/venue/assembly/world.ts";
import { LogTail } from "../../src/venue/log-tail.ts";
import { type Settings, settingsOf } from "../../src/venue/settings.ts";

/** What a venue of a test is given: its errors go nowhere unless `world` says where. */
export function testWorld(world: Partial<World> = {}): World {
  return {
    log: pino({ level: "silent" }),
    logTail: new LogTail(),
    onFault: (fault) => {
      throw fault;
    },
    opened: new AsyncDisposableStack(),
    urls: { api: "http://127.0.0.1:1", admin: "http://127.0.0.1:2" },
    started: startTime(),
    ...world,
  };
}

/** The settings of a venue in memory in which nothing happens by itself. */
export function testSettings(settings: Partial<Settings> = {}): Settings {
  return { ...settingsOf({ data: ":memory:", makers: "off", limits: "off", accounts: "random" }), ...settings };
}
