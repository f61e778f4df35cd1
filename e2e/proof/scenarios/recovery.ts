import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  digestRows,
  openDiskMedia,
  openSnapshot,
  systemClock,
  systemRandom,
} from '../../../server/testing/installation.ts';
import type { MediaStore } from '../../../server/testing/rules.ts';
import { freePort } from '../../../tools/freePorts.ts';
import type { Findings, Run, Scenario } from '../scenario.ts';
import type { GatewayProcess } from '../topology/gatewayProcess.ts';
import {
  createDatabase,
  type Database,
  query,
  ROOT,
  settingsOf,
  startAll,
} from '../topology/installation.ts';
import { ArchivedPostgres } from '../topology/pgBackRest.ts';
import { settee } from '../topology/releases.ts';
import { mustOpenSocket } from '../world/liveSocket.ts';
import { until } from '../world/time.ts';
import { type Browser, type Chat, createAdministrator, createWorld, type Desk } from '../world/world.ts';

const UNACKED_MAX = 4;
const FLOWS_WITHIN_MS = 300_000;

type Erasure = { id: string; by: 'visitor' | 'administrator' };

/** Restores PostgreSQL to a point in time before a mistake, while people wrote and erased before and after it. */
async function prove(world: World, run: Run): Promise<Findings> {
  /** Between two events of the run. */
  const messages = run.size(150, 5_000);
  const timed = async (work: Promise<void>): Promise<string> => {
    const began = performance.now();
    await work;
    return `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  };
  await world.write(messages);
  const backup = await timed(world.postgres.pgBackRest('--type=full backup'));
  await world.write(messages);
  const before = [await world.erase('visitor'), await world.erase('administrator')];
  await world.postgres.pgBackRest('--type=incr backup');
  await world.write(messages);
  const kept = await world.addImages();
  await world.pause();
  let [atTarget, target] = [await world.digests(), await world.now()];
  // Nothing may change between the two.
  while (different(atTarget, await world.digests()).length > 0)
    [atTarget, target] = [await world.digests(), await world.now()];
  const acked = world.acked.size;
  const wanted = new Map(world.acked);
  world.resume();
  await world.write(messages);
  const after = [await world.erase('visitor'), await world.erase('administrator')];
  const late = await world.addImages();
  await world.write(messages);
  await world.stop();
  const total = world.acked.size;
  // The old server still answers; otherwise the ids are in a copy of the audit log.
  const erasedSince = await world.erasedSince(target);
  await world.postgres.die();
  const restore = await timed(world.postgres.restoreTo(target));

  run.report.figure(
    `${acked} acknowledged messages at the target, ${total} in all; full backup in ${backup}, restored and recovered in ${restore}`,
  );
  const ids = (erasures: Erasure[]): string[] => erasures.map(({ id }) => id).toSorted();
  const back = await world.traces(ids(after));
  const found = {
    rows: different(atTarget, await world.digests()),
    messages: await world.compare(wanted, before),
    erased: await world.traces(ids(before)),
    list:
      erasedSince.toSorted().join() === ids(after).join() && back.length > 0
        ? []
        : [`${erasedSince.length} ids, ${back.length} traces`],
  };
  await world.settee('restore', 'recovered', '--erased', world.file('erased.txt', erasedSince.join('\n')));
  const again = [
    ...(await world.traces(ids(after))),
    ...(await world.compare(wanted, [...before, ...after])),
  ];
  const sessions = await world.openSessions();
  await world.settee('audit', 'verify');
  // More than half of the images can be later than the restored time.
  await world.settee('restore', 'sweep', '--anyway');
  const gone = new Set(ids(after));
  const images = [
    ...(await world.images(kept.filter(({ id }) => !gone.has(id)))).map((path) => `missing: ${path}`),
    ...(await world.images([...late, ...kept.filter(({ id }) => gone.has(id))], { missing: false })),
  ];
  await world.restartGateway();
  const [chat] = world.chats.filter(({ id }) => ![...before, ...after].some((erased) => erased.id === id));
  const answer = await chat?.first.call(`/conversations/${chat.id}/messages?after=0`, undefined, 'GET');
  const opens = Array.isArray(answer?.messages) && answer.messages.length > 0;
  return { ...found, again, sessions, images, opens: opens ? [] : ['no messages'] };
}

function different(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((table) => before.get(table) !== now.get(table))
    .map((table) => `${table}: ${now.get(table)} instead of ${before.get(table)}`);
}

type Acked = { conversationId: string; seq: number; text: string };
type Image = { id: string; path: string };

/** A gateway on a PostgreSQL with an archive, and visitors who write. */
class World {
  readonly postgres: ArchivedPostgres;
  readonly chats: Chat[];
  /** By the id of the message. */
  readonly acked = new Map<string, Acked>();
  readonly #parts;
  readonly #sent = new Map<string, Acked>();
  readonly #writers: { id: string; write(): void; leave(): void }[] = [];
  readonly #erased = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(parts: {
    postgres: ArchivedPostgres;
    gateway: GatewayProcess;
    env: Record<string, string>;
    database: Database;
    media: MediaStore;
    folder: string;
    desks: Desk[];
    administrator: Browser;
  }) {
    this.#parts = parts;
    this.postgres = parts.postgres;
    this.chats = parts.desks.flatMap(({ chats }) => chats);
  }

  static async start(run: Run): Promise<World> {
    const postgres = await ArchivedPostgres.start();
    const database = await createDatabase(postgres.ownerUrl);
    const folder = mkdtempSync(join(tmpdir(), 'settee-restore-'));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const settings = settingsOf('recovery', { origin });
    const env = {
      ...settings,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      MEDIA_ROOT: join(folder, 'media'),
      RUN_JOBS: 'false',
    };
    const [gateway] = await startAll([{ name: 'gateway', port, env }]);
    if (gateway === undefined) throw new Error('there is no gateway');
    const media = await openDiskMedia(
      { mediaRoot: env.MEDIA_ROOT, publicUrl: origin, secret: settings.SECRET ?? '' },
      { clock: systemClock, random: systemRandom },
    );
    const where = { build: ROOT, env, database, port };
    const administrator = await createAdministrator(where);
    const size = { desks: run.size(2, 5), chatsPerDesk: 4 };
    const desks = await createWorld({ ...where, ...size, administrator });
    const world = new World({ postgres, gateway, env, database, media, folder, desks, administrator });
    await world.#arrive();
    return world;
  }

  async #arrive(): Promise<void> {
    const { gateway, env } = this.#parts;
    for (const { id, first } of this.chats) {
      const unacked = new Set<string>();
      const { send, close } = await mustOpenSocket({
        ...{ port: gateway.port, origin: env.PUBLIC_URL ?? '', token: first.token, conversations: [id] },
        received: (frame) => {
          if (frame.type !== 'ack') return;
          unacked.delete(frame.id);
          const sent = this.#sent.get(frame.id);
          if (sent !== undefined) this.acked.set(frame.id, { ...sent, seq: frame.seq });
        },
      });
      const write = (): void => {
        if (unacked.size >= UNACKED_MAX || this.#erased.has(id)) return;
        const message = { id: randomUUID(), text: `canary of ${id}, message ${this.#sent.size}` };
        unacked.add(message.id);
        this.#sent.set(message.id, { conversationId: id, seq: 0, text: message.text });
        send({ type: 'send', conversationId: id, ...message });
      };
      this.#writers.push({ id, write, leave: close });
    }
    this.resume();
  }

  resume(): void {
    this.#timer = setInterval(() => {
      for (const { write } of this.#writers) write();
    }, 5);
  }

  /** Waits until so many more messages are acknowledged. */
  async write(count: number): Promise<void> {
    const wanted = this.acked.size + count;
    if (!(await until(() => this.acked.size >= wanted, FLOWS_WITHIN_MS)))
      throw new Error('messages do not flow');
  }

  /** Stops writing, and waits until nothing changes. */
  async pause(): Promise<void> {
    clearInterval(this.#timer);
    const open = () =>
      [...this.#sent].filter(
        ([id, { conversationId }]) => !this.acked.has(id) && !this.#erased.has(conversationId),
      );
    await until(() => open().length === 0, FLOWS_WITHIN_MS);
    for (let last = ''; ; ) {
      const now = JSON.stringify([...(await this.digests())]);
      if (now === last) return;
      last = now;
    }
  }

  async stop(): Promise<void> {
    await this.pause();
    for (const { leave } of this.#writers) leave();
    await this.#parts.gateway.kill();
  }

  async erase(by: Erasure['by']): Promise<Erasure> {
    const chat = this.chats.find(({ id }) => !this.#erased.has(id));
    if (chat === undefined) throw new Error('nothing left to erase');
    this.#erased.add(chat.id);
    if (by === 'visitor') await chat.first.call(`/conversations/${chat.id}`, undefined, 'DELETE');
    else await this.#parts.administrator.call(`/manage/conversations/${chat.id}`, undefined, 'DELETE');
    return { id: chat.id, by };
  }

  /** The ids in the audit log, as the guide says. */
  async erasedSince(time: string): Promise<string[]> {
    const rows = await this.#query(
      "select target from audit where action = 'conversation.erase' and at > $1::timestamptz",
      [time],
    );
    return rows.map(([id]) => String(id));
  }

  async now(): Promise<string> {
    return String((await this.#query('select clock_timestamp()::text'))[0]?.[0]);
  }

  async digests(): Promise<Map<string, string>> {
    const snapshot = await openSnapshot(this.#parts.database.ownerUrl);
    const found = new Map<string, string>();
    for (const table of snapshot.tables) {
      const { rows, digest } = await digestRows(snapshot.read(table));
      found.set(table.name, `${rows} rows ${digest}`);
    }
    await snapshot.close();
    return found;
  }

  async compare(wanted: ReadonlyMap<string, Acked>, erased: Erasure[]): Promise<string[]> {
    const rows = await this.#query('select id, conversation_id, seq, text from messages');
    const stored = new Map(rows.map(([id, ...rest]) => [String(id), JSON.stringify(rest)]));
    const gone = new Set(erased.map(({ id }) => id));
    const expected = [...wanted].filter(([, { conversationId }]) => !gone.has(conversationId));
    const missing = expected.filter(
      ([id, { conversationId, seq, text }]) => stored.get(id) !== JSON.stringify([conversationId, seq, text]),
    );
    return [
      ...missing.map(([id, { seq }]) => `message ${seq} (${id}) is missing`),
      ...(stored.size === expected.length ? [] : [`${stored.size} messages instead of ${expected.length}`]),
    ];
  }

  /** Every row of every table that contains a text of these conversations. */
  async traces(ids: string[]): Promise<string[]> {
    const tables = await this.#query(
      `select format('%I.%I', schemaname, tablename) from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const [table] of tables) {
      for (const id of ids) {
        const rows = await this.#query(`select count(*)::int from ${String(table)} t where t::text like $1`, [
          `%canary of ${id}%`,
        ]);
        if (Number(rows[0]?.[0]) > 0)
          found.push(`${String(table)} has ${String(rows[0]?.[0])} rows of ${id}`);
      }
    }
    return found;
  }

  async openSessions(): Promise<string[]> {
    const rows = await this.#query('select id from staff_sessions where revoked_at is null');
    return rows.map(([id]) => `session ${String(id)}`);
  }

  /** One in each chat: the row and the file. */
  async addImages(): Promise<Image[]> {
    const added: Image[] = [];
    for (const { id } of this.chats.filter((chat) => !this.#erased.has(chat.id))) {
      const path = `conversations/${id}/media/${randomUUID()}.png`;
      await this.#query(
        `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes,
           path, file_name, media_type, bytes, width, height, thumbhash)
         values (gen_random_uuid(), $1, false, gen_random_uuid(), 'ready', $2, 'image/png', 3, $3, 'x', 'image/png', 3, 1, 1, 'x')`,
        [id, `uploads/${id}/${randomUUID()}`, path],
      );
      await this.#parts.media.put(path, Buffer.from('png'), 'image/png');
      added.push({ id, path });
    }
    return added;
  }

  /** Those of the images that are missing, or that are there. */
  async images(images: Image[], { missing = true } = {}): Promise<string[]> {
    const found: string[] = [];
    for (const { path } of images)
      if (((await this.#parts.media.head(path)) === undefined) === missing) found.push(path);
    return found;
  }

  file(name: string, text: string): string {
    const path = join(this.#parts.folder, name);
    writeFileSync(path, text);
    return path;
  }

  async settee(...args: string[]): Promise<void> {
    await settee(ROOT, this.#parts.env, args);
  }

  /** The restored database has the lease of the gateway that ran at the target time. */
  async restartGateway(): Promise<void> {
    await this.#query(
      "select pg_sleep_until(coalesce(max(expires_at), now()) + interval '0.1 s') from gateways",
    );
    return this.#parts.gateway.start();
  }

  #query(text: string, values: unknown[] = []): Promise<unknown[][]> {
    return query(this.#parts.database.ownerUrl, text, values);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const { leave } of this.#writers) leave();
    await this.#parts.gateway.kill();
    await this.postgres.close();
    rmSync(this.#parts.folder, { recursive: true, force: true });
  }
}

export const scenario: Scenario<World> = {
  what: 'a point-in-time restore loses nothing that was acknowledged',
  topology: (run) => World.start(run),
  prove,
  checks: {
    rows: '[OPS-134] a point-in-time restore has the same rows as at that time, in every table',
    messages: '[OPS-134] nothing acknowledged before it is missing, and nothing is there that was sent later',
    erased: '[OPS-134] what was erased before it is still erased',
    list: '[OPS-134] the list of what was erased later is complete',
    again: '[OPS-134] after `settee restore recovered` it is erased again, and nothing else',
    sessions: '[OPS-134] nobody is signed in any more',
    images: '[OPS-134] images of the restored rows are there, and the others are gone',
    opens: '[OPS-134] a visitor opens the restored chat with the old cookie',
  },
};
