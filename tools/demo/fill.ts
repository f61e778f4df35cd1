import {
  type App,
  createAdmin,
  createHandler,
  createInvites,
  findAccount,
  renewPresence,
  renewStaffPresence,
  revokeInvites,
  saveReply,
  seeInvite,
  setAvatar,
  setBrand,
} from '../../server/testing/installation.ts';
import type { Random, Staff } from '../../server/testing/rules.ts';
import { content, DEMO_PASSWORD, drawAvatar, type Line, pick, type Story, script } from './content.ts';
import { type ChatLink, type Event, eventsOf, type Team, tokenOf } from './history.ts';

const { admin, handlers, savedReplies, stories } = content;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ACTOR = 'demo';
/** Hours since the desk was last online. */
const LAST_SEEN_HOURS = { 'mara-east': 0.1, 'mara-tour': 0.2, 'mara-press': 2, 'mara-night': 9 };

export type Filled = {
  /** An unused link for the person who tries the demo. */
  tryLink: string;
  /** Unused links for the simulated visitors. */
  simulationLinks: string[];
  /** The conversation that the pictures show. */
  shown: ChatLink;
};

/** Creates a month of history with the product's own actions, each at its time. */
export async function fill(app: App, goTo: (at: number) => Promise<void>, now: number): Promise<Filled> {
  await goTo(now - 31 * DAY_MS);
  const team = await createTeam(app);
  let shown: ChatLink | undefined;
  const events = [
    ...stories.flatMap((story, index) =>
      eventsOf(app, team, story, now, (link) => {
        if (index === 0) shown = link;
      }),
    ),
    ...readersOfMonth(app.random).flatMap((story) => eventsOf(app, team, story, now)),
    ...invitesOfAllKinds(app, team, now),
  ].toSorted((left, right) => left.at - right.at);
  for (const { at, happen } of events) {
    await goTo(at);
    await happen();
  }
  await leave(app, team, goTo, now);
  await goTo(now);
  const links = await makeInvites(app, team.admin, {
    label: 'Reading circle',
    alias: script.alias,
    count: 9,
  });
  const [tryLink = '', ...simulationLinks] = links;
  if (shown === undefined) throw new Error('the chat for the pictures is missing');
  return { tryLink, simulationLinks, shown };
}

async function createTeam(app: App): Promise<Team> {
  await createAdmin(app, { ...admin, password: DEMO_PASSWORD }, ACTOR);
  for (const handler of handlers) await createHandler(app, { ...handler, password: DEMO_PASSWORD }, ACTOR);
  await setBrand(app, content.profile, ACTOR);
  await setAvatar(app, await drawAvatar(), ACTOR);
  const boss = await staffOf(app, admin.email);
  const byDesk = new Map<string, Staff>();
  for (const { alias, email } of handlers) {
    if (!byDesk.has(alias)) byDesk.set(alias, await staffOf(app, email));
  }
  for (const [index, reply] of savedReplies.entries()) {
    const owner = index % 2 === 0 ? byDesk.get('mara-east') : boss;
    if (owner !== undefined) await saveReply(app, owner, { id: app.random.uuid(), ...reply });
  }
  const at = (desk: string): Staff => {
    const staff = byDesk.get(desk);
    if (staff === undefined) throw new Error(`nobody is at ${desk}`);
    return staff;
  };
  return { admin: boss, at };
}

async function staffOf(app: App, email: string): Promise<Staff> {
  const account = await findAccount(app.db, email);
  if (account === undefined) throw new Error(`${email} has no account`);
  const { id, name, alias } = account;
  const role = account.role === 'admin' ? 'admin' : 'handler';
  return {
    kind: 'staff',
    staffId: id,
    sessionId: id,
    name,
    role,
    alias,
    desks: alias === null ? [] : [{ alias, off: false }],
    away: false,
    verified: true,
    enrolBy: null,
    overdue: false,
  };
}

/** Invites that are unopened, seen, expired and revoked. */
function invitesOfAllKinds(app: App, { admin: by }: Team, now: number): Event[] {
  const at = (daysAgo: number, happen: () => Promise<void>): Event => ({
    at: now - daysAgo * DAY_MS,
    happen,
  });
  const ids: string[] = [];
  return [
    at(26, async () => {
      await makeInvites(app, by, { label: 'School visits', alias: 'mara-tour', count: 4, days: 14 });
    }),
    at(12, async () => {
      const links = await makeInvites(app, by, {
        label: 'Radio evening',
        alias: 'mara-press',
        count: 3,
        ids,
      });
      for (const link of links) await seeInvite(app, tokenOf(link));
    }),
    at(11, async () => {
      await revokeInvites(app, by, ids.slice(0, 2));
    }),
    at(2, async () => {
      const links = await makeInvites(app, by, { label: 'Lyon reading', alias: 'mara-east', count: 12 });
      for (const link of links.slice(0, 5)) await seeInvite(app, tokenOf(link));
    }),
  ];
}

async function makeInvites(
  app: App,
  by: Staff,
  what: { label: string; alias: string; count: number; days?: number; ids?: string[] },
): Promise<string[]> {
  const { label, alias, count, days = 30, ids = [] } = what;
  const invites = Array.from({ length: count }, (_, index) => {
    const id = app.random.uuid();
    ids.push(id);
    return { id, alias, label: `${label}, no. ${index + 1}`, days, keepDays: null };
  });
  const made = await createInvites(app, by, { batchId: app.random.uuid(), attempt: 1, invites });
  return made.map(({ link }) => link);
}

/** Sets the last presence of every desk, as a gateway that has stopped. */
async function leave(app: App, team: Team, goTo: (at: number) => Promise<void>, now: number): Promise<void> {
  for (const [alias, hours] of Object.entries(LAST_SEEN_HOURS).toSorted(([, a], [, b]) => b - a)) {
    await goTo(now - hours * HOUR_MS);
    const gateway = app.random.uuid();
    await renewPresence(app.db, gateway, [alias], 1);
    await renewStaffPresence(app.db, gateway, [team.at(alias).staffId], 1);
  }
}

const DAYS = 30;
const MINUTES_OF_DAY = 24 * 60;
/** Conversations per day, today first, in addition to the stories. */
const PER_DAY = [1, 4, 3, 5, 3, 4, 3, 3, 2, 4, 3, 3, 2, 3];
const PER_OLDER_DAY = 1;
const DESKS = ['mara-east', 'mara-tour', 'mara-east', 'mara-tour', 'mara-press', 'mara-night'];

/** A month of ordinary conversations. All of them are answered. */
export function readersOfMonth(random: Random): Story[] {
  const stories: Story[] = [];
  for (let daysAgo = 0; daysAgo < DAYS; daysAgo += 1) {
    for (let n = 0; n < (PER_DAY[daysAgo] ?? PER_OLDER_DAY); n += 1) {
      const lines = linesOf(random);
      const minutes = lines.reduce((sum, [, , after]) => sum + after, 0) / 60;
      // Not before the month began, and over by now.
      const endedAgo = Math.min(
        daysAgo * MINUTES_OF_DAY + 90 + random.below(9 * 60),
        DAYS * MINUTES_OF_DAY - minutes - 60,
      );
      const open = daysAgo < 2 && n === 0;
      const name = content.names[stories.length % content.names.length] ?? '';
      const [desk, label] = [pick(random, DESKS), pick(random, content.labels)];
      stories.push({ name, desk, label, endedAgo, lines, ...(!open && { outcome: 'closed' }) });
    }
  }
  return stories;
}

function linesOf(random: Random): Line[] {
  const { exchanges, farewells, greetings, openings } = content;
  const lines: Line[] = [
    ['visitor', pick(random, openings), 0],
    ['owner', pick(random, greetings), 30 + random.below(360)],
  ];
  // In order, because some questions follow from the answer before.
  const first = random.below(exchanges.length);
  const count = 3 + random.below(6);
  for (let n = 0; n < count; n += 1) {
    const [question, answer] = exchanges[(first + n) % exchanges.length] ?? ['', ''];
    lines.push(['visitor', question, 20 + random.below(180)], ['owner', answer, 25 + random.below(240)]);
  }
  const [question, answer] = pick(random, farewells);
  lines.push(['visitor', question, 15 + random.below(90)], ['owner', answer, 20 + random.below(120)]);
  return lines;
}
