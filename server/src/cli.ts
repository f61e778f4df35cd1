// The command line: npm run settee -- help in a checkout, settee help on a server.
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import { verifyAudit } from './actions/audit/verifyAudit.ts';
import { createInvite } from './actions/invite/createInvites.ts';
import { setBrand } from './actions/profile/setBrand.ts';
import { createAdmin, createHandler } from './actions/staff/createAccount.ts';
import { resetFactor } from './actions/staff/factors.ts';
import { resetPasswordByEmail } from './actions/staff/passwordLinks.ts';
import { acceptSecret } from './actions/staff/reconcileSecret.ts';
import { setUpBucket } from './adapters/s3Setup.ts';
import { systemRandom } from './adapters/system.ts';
import { makeVapidKey } from './auth/vapidKey.ts';
import { backup, backupVerify, restore, restoreErase, restoreSweep } from './cli/backup.ts';
import { type Command, countOf, type Options, string, type Values, wholeNumber } from './cli/command.ts';
import { doctor } from './cli/doctor.ts';
import { setupHint } from './cli/setupHint.ts';
import { COMMAND, exampleEnvironment, readConfig } from './config/config.ts';
import { countExpired } from './db/conversation/retention.ts';
import { openDatabase } from './db/engine/database.ts';
import { migrate } from './db/engine/migrate.ts';
import { findAccount } from './db/staff/staff.ts';
import { eraseExpired } from './jobs/retention.ts';
import { inOneLine } from './log/crashHandlers.ts';
import type { Announce } from './ports.ts';

const ACTOR = 'cli';
const PASSWORD_BYTES = 18;
const INVITES_MAX = 1_000;

const person: Options = {
  email: { type: 'string', help: 'address to sign in with', required: true },
  name: { type: 'string', help: 'for staff to read; the address, if left out' },
  'password-stdin': { type: 'boolean', help: 'read the password from standard input; else one is made' },
};

const commands: Record<string, Command> = {
  migrate: {
    help: 'bring the database to this release',
    options: {},
    async run() {
      await migrate(readConfig().databaseUrl, (line) => console.log(line));
      console.log('The database is up to date.');
    },
  },
  'setup code': {
    help: 'print the code that makes the first administrator, while there is none',
    options: {},
    run: (_values) =>
      withApp(async (app) => {
        console.log((await setupHint(app)) ?? 'This installation is set up: there is no code any more.');
      }),
  },
  'admin create': {
    help: 'add someone who may do everything',
    options: person,
    run: (values) =>
      withApp(async (app) => {
        const { password, made } = await choosePassword(values);
        await createAdmin(app, { ...nameAndEmail(values), password }, ACTOR);
        report(values, made);
      }),
  },
  'handler create': {
    help: 'add someone who answers at one desk',
    options: { alias: { type: 'string', help: 'the desk', required: true }, ...person },
    run: (values) =>
      withApp(async (app) => {
        const { password, made } = await choosePassword(values);
        await createHandler(
          app,
          { ...nameAndEmail(values), alias: string(values, 'alias'), password },
          ACTOR,
        );
        report(values, made);
      }),
  },
  'staff password-link': {
    help: 'void the password of someone who lost it; print the link by which they choose another',
    options: { email: { type: 'string', help: 'address that they sign in with', required: true } },
    run: (values) =>
      withApp(async (app) => {
        const { link } = await resetPasswordByEmail(app, ACTOR, string(values, 'email'));
        console.log(link);
        console.error(`Shown this once; it works once, for ${PASSWORD_LINK_HOURS} hours.`);
      }),
  },
  'staff reset-factor': {
    help: 'take away the second factor of someone who lost it; ends their sessions',
    options: { email: { type: 'string', help: 'whose', required: true } },
    run: (values) =>
      withApp(async (app) => {
        const email = string(values, 'email');
        const account = await findAccount(app.db.sql, email);
        if (account === undefined) throw new Error(`There is no account ${email}`);
        await resetFactor(app, account.id, ACTOR);
        console.log(`${email} signs in with the password alone, until a new second factor is set up.`);
      }),
  },
  'invite create': {
    help: 'print new invite links; each is shown this once',
    options: {
      alias: { type: 'string', help: 'the desk that will answer', required: true },
      label: { type: 'string', help: 'for staff to read' },
      days: { type: 'string', help: 'days until it expires; 30, if left out' },
      count: { type: 'string', help: 'how many; 1, if left out' },
    },
    run: (values) =>
      withApp(async (app) => {
        const days = wholeNumber(values, 'days', INVITE_DEFAULT_DAYS, INVITE_DAYS_MAX);
        const invite = { alias: string(values, 'alias'), label: string(values, 'label'), days };
        for (let left = wholeNumber(values, 'count', 1, INVITES_MAX); left > 0; left--) {
          console.log((await createInvite(app, invite, ACTOR)).link);
        }
      }),
  },
  'brand set': {
    help: 'change the public profile',
    options: {
      name: { type: 'string', help: 'what visitors read at the top' },
      verified: { type: 'string', help: 'true or false' },
      avatar: { type: 'string', help: 'address of the picture' },
      disclosure: { type: 'string', help: 'who answers; {name} is the profile’s name, "" shows no line' },
    },
    run: (values) =>
      withApp(async (app) => {
        const verified = string(values, 'verified');
        if (!['', 'true', 'false'].includes(verified)) throw new Error('--verified is true or false');
        const change = {
          ...(values.name !== undefined && { displayName: string(values, 'name') }),
          ...(verified !== '' && { verified: verified === 'true' }),
          ...(values.disclosure !== undefined && { disclosure: string(values, 'disclosure') }),
          ...(values.avatar !== undefined && { avatarUrl: string(values, 'avatar') }),
        };
        if (Object.keys(change).length === 0)
          throw new Error('Give at least one of --name, --verified, --avatar, --disclosure');
        await setBrand(app, change, ACTOR);
        console.log('The public profile is changed; gateways that run show it within seconds.');
      }),
  },
  'audit verify': {
    help: 'prove that no entry of the audit log was changed, taken out, put in or moved',
    options: {
      head: { type: 'string', help: 'the hash that this command printed before; with --count' },
      count: { type: 'string', help: 'the number of entries that it printed with it' },
    },
    run: (values) => withApp((app) => verify(app, values)),
  },
  'media setup': {
    help: 'make the S3 bucket if it is not there, and let pages from PUBLIC_URL reach it; replaces its CORS rules',
    options: {},
    async run() {
      const { s3, publicUrl } = readConfig();
      if (s3 !== undefined) console.log(await setUpBucket(s3, publicUrl));
      else console.log('There is no S3 here: media lies in MEDIA_ROOT, and needs no setup.');
    },
  },
  'push key': {
    help: 'make the key that notifications are sent with',
    options: {},
    async run() {
      console.log(`VAPID_PRIVATE_KEY=${makeVapidKey()}`);
      console.error(
        [
          'Put this line into the environment of every gateway and worker, with VAPID_SUBJECT=mailto:you@example.com,',
          'and start them again. Keep it secret, and keep it: with another key every browser has to subscribe anew.',
        ].join('\n'),
      );
    },
  },
  'retention run': {
    help: 'erase now what is kept no longer; an hourly job does the same',
    options: { 'dry-run': { type: 'boolean', help: 'only say how much that would be' } },
    run: (values) =>
      withApp(async ({ db }) => {
        const dry = values['dry-run'] === true;
        const { conversations, invites } = await (dry ? countExpired(db) : eraseExpired({ db }));
        const verb = dry ? 'Would erase' : 'Erased';
        console.log(
          `${verb} ${countOf(conversations, 'conversation')} and ${countOf(invites, 'invite link')}.`,
        );
      }),
  },
  'secret accept': {
    help: 'the old SECRET is lost: take the present one; removes authenticator apps and recovery codes, which it cannot open',
    options: {},
    run: (_values) =>
      withApp(async (app) => {
        await acceptSecret(app, ACTOR);
        console.log(
          'This SECRET counts from now on. Staff sign in with password or passkey; restart the gateways.',
        );
      }),
  },
  backup,
  'backup verify': backupVerify,
  restore,
  'restore erase': restoreErase,
  'restore sweep': restoreSweep,
  doctor,
  env: {
    help: 'print every key of the environment with what it does',
    options: {},
    async run() {
      process.stdout.write(exampleEnvironment());
    },
  },
  help: {
    help: 'print this; with a command behind it, only that one',
    options: {},
    // main prints it, for --help too.
    async run() {},
  },
};

type CliApp = Parameters<typeof createInvite>[0] & {
  announce: Pick<Announce, 'brandChanged' | 'accessChanged'>;
};

async function withApp(run: (app: CliApp) => Promise<void>): Promise<void> {
  const config = readConfig();
  const db = openDatabase(config.databaseUrl, 1);
  // Gateways hear nothing from here; their sweep finds what changed.
  const announce = { brandChanged: () => undefined, accessChanged: () => undefined };
  try {
    await run({ config, db, random: systemRandom, announce });
  } finally {
    await db.close();
  }
}

async function choosePassword(values: Values): Promise<{ password: string; made: string | undefined }> {
  if (values['password-stdin'] === true) {
    return { password: (await text(process.stdin)).replace(/\r?\n$/, ''), made: undefined };
  }
  const made = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { password: made, made };
}

/** An earlier count and hash, kept where whoever can change the log cannot reach, find also a log cut short. */
async function verify(app: CliApp, values: Values): Promise<void> {
  const [hash, count] = [string(values, 'head'), string(values, 'count')];
  if ((hash === '') !== (count === '')) throw new Error('--head and --count go together');
  if (hash !== '' && !/^[0-9a-f]{64}$/.test(hash)) throw new Error('--head is 64 hexadecimal digits');
  const kept = hash === '' ? undefined : { hash, count: wholeNumber(values, 'count', 0, 1e12) };
  const verified = await verifyAudit(app, kept);
  if (!verified.whole)
    throw new Error(`The audit log is not whole: entry ${verified.id} ${verified.problem}.`);
  console.log(`The audit log is whole: ${verified.count} ${verified.count === 1 ? 'entry' : 'entries'}.`);
  console.log(`Keep this elsewhere: --count ${verified.count} --head ${verified.hash}`);
}

function report(values: Values, password: string | undefined): void {
  console.log(`Created ${string(values, 'email')}.`);
  if (password !== undefined) console.log(`Password, shown this once: ${password}`);
}

function nameAndEmail(values: Values): { email: string; name: string } {
  const email = string(values, 'email');
  return { email, name: string(values, 'name') || email };
}

function usage(names = Object.keys(commands)): string {
  const lines = names.flatMap((name) => {
    const command = commands[name];
    if (command === undefined) return [];
    return [
      `  ${name.padEnd(20)}  ${command.help}`,
      ...Object.entries(command.options).map(
        ([option, { help, required }]) =>
          `      --${option.padEnd(16)} ${help}${required ? ' (needed)' : ''}`,
      ),
    ];
  });
  return `${COMMAND} COMMAND [OPTIONS]\n\n${lines.join('\n')}`;
}

/** What these words name: one command, or all that begin with the first of them. */
function helpFor([first = '', second = '']: string[]): string {
  const all = Object.keys(commands);
  const exact = all.filter((name) => name === `${first} ${second}`);
  const group = all.filter((name) => name === first || name.startsWith(`${first} `));
  const found = exact.length > 0 ? exact : group;
  return usage(found.length > 0 ? found : all);
}

async function main(args: string[]): Promise<void> {
  const [first = 'help', second = ''] = args;
  if (first === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    const words = args.filter((arg) => arg !== 'help' && !arg.startsWith('-'));
    return console.log(words.length > 0 ? helpFor(words) : usage());
  }
  const name = [`${first} ${second}`, first].find((candidate) => commands[candidate] !== undefined) ?? '';
  const command = commands[name];
  if (command === undefined) throw new Error(`There is no command "${first}".\n\n${usage()}`);
  const { values } = parseArgs({ args: args.slice(name.split(' ').length), options: command.options });
  for (const [option, { required }] of Object.entries(command.options)) {
    if (required && string(values, option) === '') throw new Error(`${name} needs --${option}`);
  }
  await command.run(values);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(inOneLine(error) ?? (error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
