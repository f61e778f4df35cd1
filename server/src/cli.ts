// The command line: npm run settee -- help in a checkout, settee help on a server.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import type { Role } from '@settee/protocol/model/staff';
import { readAnchors } from './audit/auditAnchors.ts';
import { verifyAudit } from './audit/verifyAudit.ts';
import { backup, backupVerify, restore, restoreErase, restoreRecovered, restoreSweep } from './cli/backup.ts';
import { backupSchedule } from './cli/backupSchedule.ts';
import { type Command, type Options, string, type Values, wholeNumber, withDatabase } from './cli/command.ts';
import { deskMove } from './cli/deskMove.ts';
import { doctor } from './cli/doctor.ts';
import { countOf } from './doctor/finding.ts';
import { countExpired } from './erasure/retention.store.ts';
import { eraseExpired } from './erasure/retention.ts';
import { createInvite } from './invites/createInvites.ts';
import { openMedia } from './media/media.adapter.ts';
import { setUpBucket } from './media/s3Setup.adapter.ts';
import { systemClock, systemRandom } from './platform/adapters/system.ts';
import {
  COMMAND,
  exampleEnvironment,
  readBucketConfig,
  readConfig,
  readDatabaseConfig,
} from './platform/config/config.ts';
import { makeVapidKey } from './platform/config/vapidKey.ts';
import { migrate } from './platform/db/migrate.ts';
import { explainForOperator } from './platform/log/crashHandlers.ts';
import { setBrand } from './profile/setBrand.ts';
import { acceptSecret } from './reconcileSecret.ts';
import { createAccount, createAccountWithLink } from './staff/people/createAccount.ts';
import { resetPasswordByEmail } from './staff/people/passwordLinks.ts';
import { resetFactor } from './staff/people/resetFactor.ts';
import { setupHint } from './staff/signIn/setupHint.ts';
import { findAccount } from './staff/staff.store.ts';

const ACTOR = 'cli';
const INVITES_MAX = 1_000;

const person: Options = {
  email: { type: 'string', help: 'e-mail address to sign in with', required: true },
  name: { type: 'string', help: 'shown to staff; default: the e-mail address' },
  'password-stdin': {
    type: 'boolean',
    help: 'read the password from standard input; default: print a link for choosing one',
  },
};

const commands: Record<string, Command> = {
  migrate: {
    help: 'update the database to this release',
    options: {},
    async run() {
      await migrate(readDatabaseConfig(), (line) => console.log(line));
      console.log('The database is up to date.');
    },
  },
  'setup code': {
    help: 'print the code for creating the first administrator',
    options: {},
    run: withApp(async (app) => {
      console.log((await setupHint(app)) ?? 'This installation is already set up. There is no setup code.');
    }),
  },
  'admin create': {
    help: 'create an administrator',
    options: person,
    run: withApp((app, values) => createStaff(app, values, { role: 'admin', alias: null })),
  },
  'handler create': {
    help: 'create a handler',
    options: {
      alias: { type: 'string', help: 'desk of the handler; several with commas', required: true },
      ...person,
    },
    run: withApp((app, values) =>
      createStaff(app, values, { role: 'handler', alias: string(values, 'alias') }),
    ),
  },
  'staff password-link': {
    help: 'invalidate a lost password and print a link for choosing a new one',
    options: { email: { type: 'string', help: 'e-mail address of the account', required: true } },
    run: withApp(async (app, values) => {
      const { link } = await resetPasswordByEmail(app, ACTOR, string(values, 'email'));
      console.log(link);
      console.error(`Shown only once. It works once, within ${PASSWORD_LINK_HOURS} hours.`);
    }),
  },
  'staff reset-factor': {
    help: 'remove a lost second factor; ends all sessions of the account',
    options: { email: { type: 'string', help: 'e-mail address of the account', required: true } },
    run: withApp(async (app, values) => {
      const email = string(values, 'email');
      const account = await findAccount(app.db, email);
      if (account === undefined) throw new Error(`There is no account with the address ${email}`);
      await resetFactor(app, account.id, ACTOR);
      console.log(`${email} can sign in with the password alone until a new second factor is set up.`);
    }),
  },
  'invite create': {
    help: 'create invite links; each is shown only once',
    options: {
      alias: { type: 'string', help: 'desk that answers', required: true },
      label: { type: 'string', help: 'shown to staff' },
      days: { type: 'string', help: 'days until it expires; default: 30' },
      count: { type: 'string', help: 'number of links; default: 1' },
    },
    run: withApp(async (app, values) => {
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
      name: { type: 'string', help: 'name that visitors see' },
      verified: { type: 'string', help: 'true or false' },
      avatar: { type: 'string', help: 'URL of the image' },
      disclosure: {
        type: 'string',
        help: 'line about who answers; {name} is the profile’s name, "" hides the line',
      },
    },
    run: withApp(async (app, values) => {
      const verified = string(values, 'verified');
      if (!['', 'true', 'false'].includes(verified)) throw new Error('--verified must be true or false');
      const change = {
        ...(values.name !== undefined && { displayName: string(values, 'name') }),
        ...(verified !== '' && { verified: verified === 'true' }),
        ...(values.disclosure !== undefined && { disclosure: string(values, 'disclosure') }),
        ...(values.avatar !== undefined && { avatarUrl: string(values, 'avatar') }),
      };
      if (Object.keys(change).length === 0)
        throw new Error('Give at least one of --name, --verified, --avatar, --disclosure');
      await setBrand(app, change, ACTOR);
      console.log('Changed the public profile. Running gateways show it within seconds.');
    }),
  },
  'audit verify': {
    help: 'verify that no entry of the audit log was changed, removed, inserted or moved',
    options: {
      head: { type: 'string', help: 'hash that this command printed earlier; requires --count' },
      count: { type: 'string', help: 'number of entries that it printed with the hash' },
    },
    run: withApp(verify),
  },
  'media setup': {
    help: 'create the S3 bucket if it is missing, and replace its CORS rules to allow PUBLIC_URL',
    options: {},
    async run() {
      const { s3, publicUrl } = readBucketConfig();
      if (s3 !== undefined) console.log(await setUpBucket(s3, publicUrl));
      else console.log('S3 is not configured. Media is stored in MEDIA_ROOT, which needs no setup.');
    },
  },
  'push key': {
    help: 'generate the key for notifications',
    options: {},
    async run() {
      console.log(`VAPID_PRIVATE_KEY=${makeVapidKey()}`);
      console.error(
        [
          'Add this line to the environment of every gateway and worker, with VAPID_SUBJECT=mailto:you@example.com,',
          'and restart them. Keep the key secret and do not lose it: with another key every browser must subscribe again.',
        ].join('\n'),
      );
    },
  },
  'retention run': {
    help: 'erase expired conversations and invites now; an hourly job does the same',
    options: { 'dry-run': { type: 'boolean', help: 'only print the counts' } },
    run: withApp(async ({ db }, values) => {
      const dry = values['dry-run'] === true;
      const { conversations, invites } = await (dry ? countExpired(db) : eraseExpired({ db }));
      const verb = dry ? 'Would erase' : 'Erased';
      console.log(
        `${verb} ${countOf(conversations, 'conversation')} and ${countOf(invites, 'invite link')}.`,
      );
    }),
  },
  'secret accept': {
    help: 'accept a new SECRET after the old one was lost; disables authenticator apps and recovery codes, and pauses webhooks; passkeys still work',
    options: {},
    run: withApp(async (app) => {
      await acceptSecret(app, ACTOR);
      console.log(
        'Accepted this SECRET. Restart the gateways. Staff sign in with password or passkey. Webhooks need new secrets.',
      );
    }),
  },
  'desk move': deskMove,
  backup,
  'backup schedule': backupSchedule,
  'backup verify': backupVerify,
  restore,
  'restore erase': restoreErase,
  'restore recovered': restoreRecovered,
  'restore sweep': restoreSweep,
  doctor,
  env: {
    help: 'print every environment variable with its explanation',
    options: {},
    async run() {
      process.stdout.write(exampleEnvironment());
    },
  },
  help: {
    help: 'print this help, or the help of one command',
    options: {},
    // main prints it, also for --help.
    async run() {},
  },
};

type CliApp = Parameters<typeof createInvite>[0];

function withApp(run: (app: CliApp, values: Values) => Promise<void>): Command['run'] {
  return async (values) => {
    const config = readConfig();
    // Announces nothing: gateways find the change with their sweep.
    await withDatabase(config, (db) => run({ config, db, random: systemRandom }, values));
  };
}

async function createStaff(
  app: CliApp,
  values: Values,
  place: { role: Role; alias: string | null },
): Promise<void> {
  const email = string(values, 'email');
  const [first = null, ...otherDesks] = place.alias?.split(',') ?? [];
  const account = {
    email,
    name: string(values, 'name') || email,
    role: place.role,
    alias: first,
    otherDesks,
  };
  if (values['password-stdin'] === true) {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    await createAccount(app, { ...account, password }, ACTOR);
    return console.log(`Created ${email}.`);
  }
  const { link } = await createAccountWithLink(app, account, ACTOR);
  console.log(
    `Created ${email}. To choose the password, open this link within ${PASSWORD_LINK_HOURS} hours:`,
  );
  console.log(link);
  console.log('Shown only once. It works once.');
}

/** The anchors reveal a truncated or rewritten log. So do a count and hash that were stored elsewhere. */
async function verify(app: CliApp, values: Values): Promise<void> {
  const [hash, count] = [string(values, 'head'), string(values, 'count')];
  if ((hash === '') !== (count === '')) throw new Error('--head and --count must be used together');
  if (hash !== '' && !/^[0-9a-f]{64}$/.test(hash)) throw new Error('--head must have 64 hexadecimal digits');
  const stored = hash === '' ? undefined : { hash, count: wholeNumber(values, 'count', 0, 1e12) };
  const media = await openMedia(app.config, { clock: systemClock, random: systemRandom });
  const { anchors, invalid } = await readAnchors({ db: app.db, media }, app.config);
  const verified = await verifyAudit(app, stored === undefined ? anchors : [...anchors, stored]);
  if (!verified.whole)
    throw new Error(`The audit log is not intact: entry ${verified.id} ${verified.problem}.`);
  console.log(`The audit log is intact: ${verified.count} ${verified.count === 1 ? 'entry' : 'entries'}.`);
  const newest = anchors.at(-1);
  if (newest === undefined) console.log('There are no anchors in the media store yet.');
  else
    console.log(
      `It agrees with ${countOf(anchors.length, 'anchor')} in the media store. The newest is from ${new Date(newest.at).toISOString()}, with ${newest.count} entries.`,
    );
  if (invalid > 0)
    console.error(
      `Warning: ignored ${countOf(invalid, 'anchor')} that SECRET and SECRET_PREVIOUS did not sign.`,
    );
  console.log(`Store this elsewhere: --count ${verified.count} --head ${verified.hash}`);
}

function usage(names = Object.keys(commands)): string {
  const lines = names.flatMap((name) => {
    const command = commands[name];
    if (command === undefined) return [];
    return [
      `  ${name.padEnd(20)}  ${command.help}`,
      ...Object.entries(command.options).map(
        ([option, { help, required }]) =>
          `      --${option.padEnd(16)} ${help}${required ? ' (required)' : ''}`,
      ),
    ];
  });
  return `${COMMAND} COMMAND [OPTIONS]\n\n${lines.join('\n')}`;
}

/** The help of one command, or of all commands that begin with the first word. */
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
    if (required && string(values, option) === '') throw new Error(`${name} requires --${option}`);
  }
  await command.run(values);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(explainForOperator(error) ?? (error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
